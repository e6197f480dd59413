/** The most bytes of all files of one request together. */
export const batchLimitBytes = 32_212_254_720;
export const batchLimitMessage = "Chosen Files Batch Size exceeds the allowable Limit.";
