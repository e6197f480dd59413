import { expect, test } from "vitest";

import {
  codeFault,
  codeForm,
  codeIn,
  enteredCodeFault,
  fold,
  isPlaceholder,
  lineForm,
  nameKey,
  passwordForm,
  personForm,
  phoneForm,
  textForm,
} from "./identity.rules.ts";

test.each([
  ["+260-977-1234", "+2609771234"],
  [" +260 977  1234 ", "+260 977 1234"],
  ["\u202A0977 000000\u202C", "0977 000000"],
  ["\uFF10\uFF19\uFF17\uFF17", "0977"],
  ["(0977) 12.34/5", "0977 12345"],
  ["call me 09", "09"],
])("%j is the phone number %j", (text, phone) => {
  expect([phoneForm(text), phoneForm(phone)]).toEqual([phone, phone]);
});

test.each([
  [" demo-password\n", "demo-password"],
  ["\uFF44\uFF45\uFF4D\uFF4F-password", "demo-password"],
  ["passe\u0301", "pass\u00E9"],
  ["two  words", "two  words"],
])("%j is compared as the password %j", (typed, password) => {
  expect(passwordForm(typed)).toBe(password);
});

test.each([
  ["E\u0301ve\u202Edir", "\u00C9vedir"],
  ["tab\tname", "tab name"],
  ["99\uFEFF1", "991"],
  ["line\r\nbreak", "line break"],
  ["bell\u0007", "bell"],
  ["\u200B", ""],
])("%j is the name %j", (text, form) => {
  expect(personForm(text)).toBe(form);
});

test.each([
  [" two\r\nlines,\ta tab \u2029end\u0007\n", "two\nlines,\ta tab \nend"],
  ["cafe\u0301 \u202Eright\u200B\u00AD \uFEFF", "caf\u00E9 right"],
  ["\u200Dمی\u200Cخواهم\u200C क\u094D\u200Dय", "می\u200Cخواهم क\u094D\u200Dय"],
  ["👩🏽\u200D🚀 ❤\uFE0F\u200D🔥 a\uFE0F", "👩🏽\u200D🚀 ❤\uFE0F\u200D🔥 a"],
  ["\0 stays, to be refused", "\0 stays, to be refused"],
])("%j is the text %j", (text, form) => {
  expect([textForm(text), textForm(form), lineForm(text)]).toEqual([form, form, form.replaceAll(/\s+/g, " ")]);
});

test.each([
  ["99111000", "99111000"],
  [" 99111000\t", "99111000"],
  ["99111000.0", "99111000"],
  ["99111000.000", "99111000"],
  ["99111000,0", "99111000"],
  ["99111000.5", "99111000.5"],
  ["99,000", "99,000"],
  ['="99111000"', "99111000"],
  ['="0123"', "0123"],
  ["=0123", "0123"],
  ["'99111000", "99111000"],
  ["’99111000", "99111000"],
  ["'0123.0", "0123"],
  ["0123", "0123"],
  ["99\u200B111000", "99111000"],
  ["\uFEFF99111000\u200E", "99111000"],
  ["\u202A99111000\u202C", "99111000"],
  ["99\u00AD111\u2060000", "99111000"],
  ["8007XX52", "8007XX52"],
  ["facility|1", "facility|1"],
  ["E\u0301-7", "\u00C9-7"],
  ["d3b07384-d9a0-4c1b-8f0e-1f3a6a1c2b3d", "d3b07384-d9a0-4c1b-8f0e-1f3a6a1c2b3d"],
])("%j is the code %j", (text, code) => {
  expect([codeForm(text), codeIn(text), codeFault(code), codeForm(code)]).toEqual([code, code, undefined, code]);
});

test.each([
  ["9.9111E+07", /^was shortened by a spreadsheet/],
  ["9,9111e+07", /^was shortened by a spreadsheet/],
  ["'1E+10", /^was shortened by a spreadsheet/],
  ["=A1", /^is a formula/],
  ["=VLOOKUP(A1,B:C,2)", /^is a formula/],
])("%j is no code", (text, fault) => {
  expect(codeFault(codeForm(text))).toMatch(fault);
  expect(enteredCodeFault(codeForm(text))).toMatch(fault);
});

test.each([
  ..."#N/A N/A n/a NA n.a. N\\A NULL (null) null <null> none None nil NaN undefined unknown TBD tbd. T.B.D. TBA".split(
    " ",
  ),
  ..."- -- – — . ... ? ??? _ / ######## 0 00 000000 0.0 0000-0000 XXX xx #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL!".split(
    " ",
  ),
  ...[
    "Not available",
    "not  applicable",
    "To be determined",
    "no code",
    "No ID",
    "\u200Bn/a\u200B",
    "'N/A",
    '="N/A"',
    "00000000-0000-0000-0000-000000000000",
  ],
])("%j is a placeholder", (text) => {
  expect([isPlaceholder(codeForm(text)), codeIn(text)]).toEqual([true, undefined]);
  expect(enteredCodeFault(codeForm(text))).toBe("is a placeholder, not a code: leave it empty");
});

test.each([
  "",
  "  ",
  "1",
  "10",
  "0001",
  "A",
  "X",
  "N1",
  "Nonge",
  "Nanga Clinic",
  "Name",
  "Value Clinic",
  "No 7",
  "Null Island Post",
  "Zero Clinic",
])("%j is no placeholder", (text) => {
  expect(isPlaceholder(text)).toBe(false);
});

test.each([
  ["  Chibombo\u00A0 Rural  Health\tCentre ", "Chibombo Rural Health Centre"],
  ["Chi\u200Bbombo", "Chibombo"],
  ["\u202ELusaka\u202C", "Lusaka"],
  ["Cha\u0302teau", "Château"],
])("%j is normalized to %j", (text, folded) => expect(fold(text)).toBe(folded));

test.each([
  ["Ng\u2019ombe", "ng'OMBE"],
  ["Partner\u200D A", "partner a"],
  ["Cha\u0302teau", "château"],
])("%j and %j are one name", (one, other) => expect(nameKey(one)).toBe(nameKey(other)));
