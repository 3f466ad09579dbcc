"""``python -m gluon.megengine script.py``."""

from gluon.megengine.run import main

if __name__ == "__main__":
    main()
