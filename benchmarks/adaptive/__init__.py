"""Adaptive best-worst designs against fixed designs, iterative best-worst scaling, and EASL, on simulated people."""
