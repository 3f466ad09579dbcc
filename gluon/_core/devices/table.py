"""Which operators the host computes."""

from __future__ import annotations

#: Operators that the host computes: their kernels loop over values, or end in a list of places.
ON_HOST: frozenset[str] = frozenset(
    (
        # boxes and regions
        "bipartite box_detection box_target nms_order proposals roi_average roi_average_grad"
        " roi_places resize_image"
        # decompositions, whose signs and orders are those of LAPACK
        " cofactors eig eigh lq pinv svd"
        # other processes
        " allgather allreduce alltoall broadcast_from other_product receive reduce_scatter"
        " reduce_to send"
        # sparse arrays, whose values are on the host
        " cast_storage csr_dot lookup retain row_squares"
        # rare ones
        " allclose bessel_i convolve delete diagonal_places histogram"
    ).split()
)
