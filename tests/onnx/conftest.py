"""Exclude scripts for other environments from the tests."""

collect_ignore = ["make.py", "make_detector.py", "make_keras.py"]
