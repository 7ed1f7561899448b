-- porting.lua - the cases of porting.params (written by porting.py).
return {
  { tag = "nFalse(3,)()", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log
    = false } },
  { tag = "uFalse(3,)()", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "gFalse(3,)()", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log
    = false } },
  { tag = "eFalse(3,)()", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "pFalse(3,)()", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log =
    false } },
  { tag = "nbFalse(3,)()", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 },
    options = { is_log = false } },
  { tag = "gnbFalse(3,)()", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = { 0,
    1, 2 }, options = { is_log = false } },
  { tag = "dFalse(3,)()", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log
    = false } },
  { tag = "nFalse(3,)(2,3)", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "uFalse(3,)(2,3)", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "gFalse(3,)(2,3)", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "eFalse(3,)(2,3)", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "pFalse(3,)(2,3)", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "nbFalse(3,)(2,3)", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 },
    options = { is_log = false } },
  { tag = "gnbFalse(3,)(2,3)", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = {
    0, 1, 2 }, options = { is_log = false } },
  { tag = "dFalse(3,)(2,3)", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "nFalse(2,3)()", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "uFalse(2,3)()", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "gFalse(2,3)()", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log
    = false } },
  { tag = "eFalse(2,3)()", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "pFalse(2,3)()", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log
    = false } },
  { tag = "nbFalse(2,3)()", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 },
    options = { is_log = false } },
  { tag = "gnbFalse(2,3)()", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = { 0,
    1, 2 }, options = { is_log = false } },
  { tag = "dFalse(2,3)()", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "nFalse(2,3)(2,3)", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "uFalse(2,3)(2,3)", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "gFalse(2,3)(2,3)", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = false } },
  { tag = "eFalse(2,3)(2,3)", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "pFalse(2,3)(2,3)", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "nbFalse(2,3)(2,3)", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 },
    options = { is_log = false } },
  { tag = "gnbFalse(2,3)(2,3)", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = {
    0, 1, 2 }, options = { is_log = false } },
  { tag = "dFalse(2,3)(2,3)", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = false } },
  { tag = "nTrue(3,)()", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log
    = true } },
  { tag = "uTrue(3,)()", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log
    = true } },
  { tag = "gTrue(3,)()", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log =
    true } },
  { tag = "eTrue(3,)()", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = true } },
  { tag = "pTrue(3,)()", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log =
    true } },
  { tag = "nbTrue(3,)()", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options
    = { is_log = true } },
  { tag = "gnbTrue(3,)()", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1,
    2 }, options = { is_log = true } },
  { tag = "dTrue(3,)()", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log
    = true } },
  { tag = "nTrue(3,)(2,3)", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = true } },
  { tag = "uTrue(3,)(2,3)", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = true } },
  { tag = "gTrue(3,)(2,3)", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = true } },
  { tag = "eTrue(3,)(2,3)", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = true } },
  { tag = "pTrue(3,)(2,3)", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log
    = true } },
  { tag = "nbTrue(3,)(2,3)", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 },
    options = { is_log = true } },
  { tag = "gnbTrue(3,)(2,3)", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = { 0,
    1, 2 }, options = { is_log = true } },
  { tag = "dTrue(3,)(2,3)", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = true } },
  { tag = "nTrue(2,3)()", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log
    = true } },
  { tag = "uTrue(2,3)()", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = true } },
  { tag = "gTrue(2,3)()", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = { is_log
    = true } },
  { tag = "eTrue(2,3)()", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = true } },
  { tag = "pTrue(2,3)()", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log =
    true } },
  { tag = "nbTrue(2,3)()", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 },
    options = { is_log = true } },
  { tag = "gnbTrue(2,3)()", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = { 0,
    1, 2 }, options = { is_log = true } },
  { tag = "dTrue(2,3)()", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { is_log
    = true } },
  { tag = "nTrue(2,3)(2,3)", op = "random_pdf_normal", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = true } },
  { tag = "uTrue(2,3)(2,3)", op = "random_pdf_uniform", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = true } },
  { tag = "gTrue(2,3)(2,3)", op = "random_pdf_gamma", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    is_log = true } },
  { tag = "eTrue(2,3)(2,3)", op = "random_pdf_exponential", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = true } },
  { tag = "pTrue(2,3)(2,3)", op = "random_pdf_poisson", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = true } },
  { tag = "nbTrue(2,3)(2,3)", op = "random_pdf_negative_binomial", inputs = 3, outputs = 1, grads = { 0, 1, 2 },
    options = { is_log = true } },
  { tag = "gnbTrue(2,3)(2,3)", op = "random_pdf_generalized_negative_binomial", inputs = 3, outputs = 1, grads = {
    0, 1, 2 }, options = { is_log = true } },
  { tag = "dTrue(2,3)(2,3)", op = "random_pdf_dirichlet", inputs = 2, outputs = 1, grads = { 0, 1 }, options = {
    is_log = true } },
  { tag = "round_ste", op = "contrib.round_ste", inputs = 1, outputs = 1, grads = { 0 }, options = {  } },
  { tag = "sign_ste", op = "contrib.sign_ste", inputs = 1, outputs = 1, grads = { 0 }, options = {  } },
  { tag = "gm", op = "contrib.gradientmultiplier", inputs = 1, outputs = 1, grads = { 0 }, options = { scalar = -0.7
    } },
  { tag = "corr0", op = "Correlation", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { kernel_size = 1,
    max_displacement = 2, stride1 = 1, stride2 = 1, pad_size = 2, is_multiply = true } },
  { tag = "corr1", op = "Correlation", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { kernel_size = 3,
    max_displacement = 2, stride1 = 1, stride2 = 1, pad_size = 3, is_multiply = true } },
  { tag = "corr2", op = "Correlation", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { kernel_size = 3,
    max_displacement = 2, stride1 = 2, stride2 = 2, pad_size = 3, is_multiply = false } },
  { tag = "corr3", op = "Correlation", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { kernel_size = 1,
    max_displacement = 4, stride1 = 1, stride2 = 2, pad_size = 4, is_multiply = true } },
  { tag = "corr4", op = "Correlation", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { kernel_size = 3,
    max_displacement = 1, stride1 = 2, stride2 = 1, pad_size = 1, is_multiply = true } },
  { tag = "corr5", op = "Correlation", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { kernel_size = 1,
    max_displacement = 3, stride1 = 1, stride2 = 2, pad_size = 3, is_multiply = false } },
  { tag = "corr6", op = "Correlation", inputs = 2, outputs = 1, grads = { 0, 1 }, options = { kernel_size = 5,
    max_displacement = 4, stride1 = 2, stride2 = 2, pad_size = 6, is_multiply = true } },
  { tag = "def0", op = "contrib.DeformableConvolution", inputs = 4, outputs = 1, grads = { 0, 1, 2, 3 }, options = {
    kernel = { 3, 3 }, stride = { 1, 1 }, dilate = { 1, 1 }, pad = { 1, 1 }, num_filter = 8, num_group = 1,
    num_deformable_group = 1, no_bias = false } },
  { tag = "def1", op = "contrib.DeformableConvolution", inputs = 3, outputs = 1, grads = { 0, 1, 2 }, options = {
    kernel = { 3, 3 }, stride = { 1, 1 }, dilate = { 1, 1 }, pad = { 1, 1 }, num_filter = 8, num_group = 1,
    num_deformable_group = 1, no_bias = true } },
  { tag = "def2", op = "contrib.DeformableConvolution", inputs = 4, outputs = 1, grads = { 0, 1, 2, 3 }, options = {
    kernel = { 3, 2 }, stride = { 2, 1 }, dilate = { 1, 2 }, pad = { 1, 0 }, num_filter = 8, num_group = 2,
    num_deformable_group = 2, no_bias = false } },
  { tag = "def3", op = "contrib.DeformableConvolution", inputs = 4, outputs = 1, grads = { 0, 1, 2, 3 }, options = {
    kernel = { 1, 1 }, stride = { 1, 1 }, dilate = { 1, 1 }, pad = { 0, 0 }, num_filter = 8, num_group = 1,
    num_deformable_group = 4, no_bias = false } },
  { tag = "def4", op = "contrib.DeformableConvolution", inputs = 4, outputs = 1, grads = { 0, 1, 2, 3 }, options = {
    kernel = { 3, 3 }, stride = { 2, 2 }, dilate = { 2, 2 }, pad = { 2, 2 }, num_filter = 8, num_group = 4,
    num_deformable_group = 1, no_bias = false } },
  { tag = "ps0", op = "contrib.PSROIPooling", inputs = 2, outputs = 1, grads = { 0 }, options = { spatial_scale =
    0.5, output_dim = 2, pooled_size = 2, group_size = 0 } },
  { tag = "ps1", op = "contrib.PSROIPooling", inputs = 2, outputs = 1, grads = { 0 }, options = { spatial_scale =
    1.0, output_dim = 1, pooled_size = 3, group_size = 0 } },
  { tag = "ps2", op = "contrib.PSROIPooling", inputs = 2, outputs = 1, grads = { 0 }, options = { spatial_scale =
    0.25, output_dim = 2, pooled_size = 4, group_size = 2 } },
  { tag = "rr0", op = "contrib.RROIAlign", inputs = 2, outputs = 1, grads = {}, options = { pooled_size = { 2, 2 },
    spatial_scale = 1.0, sampling_ratio = -1 } },
  { tag = "rr1", op = "contrib.RROIAlign", inputs = 2, outputs = 1, grads = {}, options = { pooled_size = { 3, 2 },
    spatial_scale = 0.5, sampling_ratio = 2 } },
  { tag = "rr2", op = "contrib.RROIAlign", inputs = 2, outputs = 1, grads = {}, options = { pooled_size = { 2, 4 },
    spatial_scale = 0.25, sampling_ratio = -1 } },
  { tag = "Proposal01", op = "contrib.Proposal", inputs = 3, outputs = 2, grads = {}, options = { rpn_pre_nms_top_n
    = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true, scales = { 2.0 }, ratios
    = { 0.5, 1.0, 2.0 } } },
  { tag = "MultiProposal01", op = "contrib.MultiProposal", inputs = 3, outputs = 2, grads = {}, options = {
    rpn_pre_nms_top_n = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true, scales
    = { 2.0 }, ratios = { 0.5, 1.0, 2.0 } } },
  { tag = "MultiProposal03", op = "contrib.MultiProposal", inputs = 3, outputs = 2, grads = {}, options = {
    rpn_pre_nms_top_n = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true, scales
    = { 2.0 }, ratios = { 0.5, 1.0, 2.0 } } },
  { tag = "Proposal11", op = "contrib.Proposal", inputs = 3, outputs = 2, grads = {}, options = { rpn_pre_nms_top_n
    = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true } },
  { tag = "MultiProposal11", op = "contrib.MultiProposal", inputs = 3, outputs = 2, grads = {}, options = {
    rpn_pre_nms_top_n = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true } },
  { tag = "MultiProposal13", op = "contrib.MultiProposal", inputs = 3, outputs = 2, grads = {}, options = {
    rpn_pre_nms_top_n = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true } },
  { tag = "Proposal21", op = "contrib.Proposal", inputs = 3, outputs = 2, grads = {}, options = { rpn_pre_nms_top_n
    = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true, scales = { 1.0, 2.0 },
    ratios = { 0.5, 1.5 }, iou_loss = true } },
  { tag = "MultiProposal21", op = "contrib.MultiProposal", inputs = 3, outputs = 2, grads = {}, options = {
    rpn_pre_nms_top_n = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true, scales
    = { 1.0, 2.0 }, ratios = { 0.5, 1.5 }, iou_loss = true } },
  { tag = "MultiProposal23", op = "contrib.MultiProposal", inputs = 3, outputs = 2, grads = {}, options = {
    rpn_pre_nms_top_n = 60, rpn_post_nms_top_n = 12, threshold = 0.6, rpn_min_size = 10, output_score = true, scales
    = { 1.0, 2.0 }, ratios = { 0.5, 1.5 }, iou_loss = true } },
  { tag = "hawkes0", op = "contrib.hawkesll", inputs = 8, outputs = 2, grads = { 0, 1, 2 }, options = {  } },
  { tag = "hawkes1", op = "contrib.hawkesll", inputs = 8, outputs = 2, grads = { 0, 1, 2 }, options = {  } },
  { tag = "hawkes2", op = "contrib.hawkesll", inputs = 8, outputs = 2, grads = { 0, 1, 2 }, options = {  } },
}
