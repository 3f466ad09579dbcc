"""Groups of processes over MPI, and the watch that ends a program whose processes wait for ever."""
