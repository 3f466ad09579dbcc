"""The scripts are read by type checkers, never run."""

collect_ignore_glob = ["good_*.py", "bad_*.py"]
