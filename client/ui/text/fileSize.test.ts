import { expect, test } from "vitest";

import { formatFileSize } from "./fileSize.ts";

test.each([
  [0, "0.00 Bytes"],
  [1023, "1023.00 Bytes"],
  [1024, "1.00 KB"],
  [1536, "1.50 KB"],
  [5 * 1024 ** 2, "5.00 MB"],
  [32212254720, "30.00 GB"],
  [1024 ** 8, "1.00 YB"],
])("%i bytes are %s", (bytes, text) => expect(formatFileSize(bytes)).toBe(text));
