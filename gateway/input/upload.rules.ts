/** How large all files of one request may be together. */
export const batchLimitBytes = 32_212_254_720;
export const batchLimitMessage = "Chosen Files Batch Size exceeds the allowable Limit.";
