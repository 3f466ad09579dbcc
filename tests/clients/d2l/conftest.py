"""These programs need d2l, and run in a process of their own."""

collect_ignore_glob = ["[a-z_]*.py"]
