"""Write tutorials/digits.npz: the handwritten digits that come with scikit-learn.

    python .ci/make_digits.py

The program of the README reads them there, so that its command needs no scikit-learn.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

PLACE = Path(__file__).resolve().parent.parent / "tutorials" / "digits.npz"

if __name__ == "__main__":
    digits = load_digits()
    pictures, labels = digits.images.astype("uint8"), digits.target.astype("uint8")
    np.savez_compressed(PLACE, pictures=pictures, labels=labels)
