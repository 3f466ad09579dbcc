"""How notebooks behave while the site is built: an error shows as its message."""

c = get_config()  # type: ignore[name-defined]  # noqa: F821
c.InteractiveShell.xmode = "Minimal"
c.InteractiveShell.colors = "nocolor"
