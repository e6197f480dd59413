/** Whether random tests repeat less often, as in `npm test`; `npm run test:whole` repeats them in full. */
export const isShort = process.env["SHORT_RUN"] === "1";
