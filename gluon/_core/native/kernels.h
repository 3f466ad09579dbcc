/* The kernels, by family. */

/* activation.c */
KERNEL32(softmax)
KERNEL32(log_softmax)
KERNEL32(softmax_grad)
KERNEL32(log_softmax_grad)
KERNEL32(cross_entropy)
KERNEL32(cross_entropy_grad)

/* boxes.c */
KERNEL(suppress)

/* copy.c */
KERNEL_OF_ALL(copy)
KERNEL_OF_ALL(pad)
KERNEL_OF_ALL(mask_rows)

/* conv.c */
KERNEL(convolution)
KERNEL(convolution_input_grad)
KERNEL(convolution_weight_grad)

/* decompose.c */
KERNEL(solve_triangular)

/* image.c */
KERNEL32(weigh_bytes)

/* indexing.c */
KERNEL_OF_ALL(flat_places)
KERNEL_OF_ALL(take_rows)
KERNEL_OF_ALL(pick)
KERNEL_OF_ALL(pick_grad)
KERNEL_OF_ALL(add_rows)
KERNEL_OF_ALL(group_places)

/* libsvm.c */
KERNEL_OF_ALL(read_lines)

/* optimizer.c */
KERNEL(sgd)
KERNEL(sgd_momentum)
KERNEL(nag)
KERNEL(signsgd)
KERNEL(signum)
KERNEL(dcasgd)
KERNEL(dcasgd_momentum)
KERNEL(adam)
KERNEL(adamw)
KERNEL(adamax)
KERNEL(nadam)
KERNEL(ftml)
KERNEL(ftrl)
KERNEL(rmsprop)
KERNEL(rmsprop_centered)
KERNEL(adagrad)
KERNEL(adadelta)

/* rnn.c */
KERNEL32(lstm_scan)
KERNEL32(lstm_scan_grad)
KERNEL32(gru_scan)
KERNEL32(gru_scan_grad)
KERNEL32(rnn_scan)
KERNEL32(rnn_scan_grad)

/* linalg.c */
KERNEL_OF_ALL(multiply_stacks)

/* layout.c */
KERNEL_OF_ALL(layout)
KERNEL_OF_ALL(choose)

/* normalization.c */
KERNEL(standardize)
KERNEL(standardize_grad)
KERNEL(scale_channels)

/* pool.c */
KERNEL(max_pool)
KERNEL(max_pool_grad)
KERNEL(sum_pool)
KERNEL(sum_pool_grad)

/* scan.c */
KERNEL(recurrence)

/* sparse.c */
KERNEL(csr_dot)
KERNEL(nonzero)

/* spread.c */
KERNEL32(spread)
KERNEL32(spread_grad)
/* winograd.c */
KERNEL32(winograd)
KERNEL32(winograd_weight_grad)

/* reduce.c */
KERNEL(reduce)
KERNEL(search)

/* random.c */
KERNEL(dropout)

/* resample.c */
KERNEL32(resample)

/* roi.c */
KERNEL(take_bins)
KERNEL(give_bins)
KERNEL(first_maxima)

/* limit.c */
KERNEL(limit)

/* sequence.c */
KERNEL(order)

/* warp.c */
KERNEL32(sample)
KERNEL32(sample_grad)
KERNEL32(sample_slopes)
