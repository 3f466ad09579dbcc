"""``python -m gluon.mxnet script.py``."""

from gluon.mxnet.run import main

if __name__ == "__main__":
    main()
