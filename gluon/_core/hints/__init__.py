"""What users of PyTorch, Keras and NumPy mean by names that gluon lacks, for error messages."""
