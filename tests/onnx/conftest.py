"""What is no test here: a script for another environment."""

collect_ignore = ["make.py"]
