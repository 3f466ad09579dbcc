"""Where the points of deformable convolution and pooling lie unmoved: constants.

The gradients come from `sample`, of the family warp, at the points once they are moved.
"""

from __future__ import annotations

from typing import Final

from ..engine.op import define
from ..kernels import deform as kernels

kernel_points: Final = define(
    "kernel_points",
    kernels.kernel_points,
    "The row and the column of each kernel element at each position, laid out as offsets",
)
part_points: Final = define(
    "part_points",
    kernels.part_points,
    "The points that the bins of regions average, the sizes of regions and their images",
    many=True,
)
inside_count: Final = define(
    "inside_count", kernels.inside_count, "How many points of each list lie inside an image"
)
