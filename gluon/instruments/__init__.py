"""What looks on while operators run: anomaly detection, the recorder behind the profiler."""
