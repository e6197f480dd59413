import { describe, expect, test } from "vitest";

import { passwordFault } from "./password.rules.ts";

const names = ["assessor", "Chanda", "Mwila", "Chanda Mwila", "assessor@demo.example"];

describe("a new password is refused", () => {
  test.each([
    ["      ", "run"],
    ["aaaaaa", "run"],
    ["abababab", "run"],
    ["abcabc", "run"],
    ["123456", "run"],
    ["7890123", "run"],
    ["987654321098", "run"],
    ["ABCDEF", "run"],
    ["zyxwvu", "run"],
    ["SmartCare", "platform"],
    ["smart-care", "platform"],
    ["deployment platform", "platform"],
    ["Assessor", "own name"],
    ["chanda.mwila", "own name"],
    ["assessor@demo.example", "own name"],
  ])("%s (reason: %s)", (password, reason) => {
    expect(passwordFault(password, names)).toContain(reason);
  });
});

describe("a new password is accepted", () => {
  test.each([
    "demo-password",
    "changed-password-1",
    "new-secret-9",
    "assessor-1",
    "smartcare2026",
    "aaaaab",
    "123457",
    "abcdeg",
    "мир-и-лад",
    "......x",
  ])("%s", (password) => {
    expect(passwordFault(password, names)).toBeNull();
  });
});
