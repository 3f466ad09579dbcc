"""The scripts are run by the tests; they are none themselves."""

collect_ignore = ["scripts"]
