"""Models of raters: scores that weigh people by how they use the scale and how much they vary, beside plain means."""
