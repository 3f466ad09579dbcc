"""Instruments that observe operators: anomaly detection, and the recorder of the profiler."""
