"""What are no tests here: scripts for other environments."""

collect_ignore = ["make.py", "make_detector.py", "make_keras.py"]
