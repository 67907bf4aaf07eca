"""What a collection will cost, and how reliable its scores will be."""
