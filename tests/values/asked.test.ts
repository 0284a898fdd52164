import fc from "fast-check";
import { expect, test } from "vitest";
import { mostAsked, readAsked, writeAsked } from "../../src/values/asked.ts";

const told = (text: string) => {
  const asked = readAsked(text);
  return asked && `${asked.isNot ? "none of" : "any of"} ${asked.of.join(" | ")}`;
};

test.each([
  ["maybank", "any of maybank"],
  ["maybank,cimb", "any of maybank | cimb"],
  [" maybank , cimb ", "any of maybank | cimb"],
  ["!maybank,cimb", "none of maybank | cimb"],
  ["maybank,maybank", "any of maybank"],
  ['"Smith, John",tan', "any of Smith, John | tan"],
  ['"He said ""no"""', 'any of He said "no"'],
  ['5" pipe', 'any of 5" pipe'],
  ['"!important"', "any of !important"],
  ["", null],
  ["!", null],
  [",", null],
  ["a,", null],
  ["a,,b", null],
  ['""', null],
  ['"a', null],
  ['"a"b', null],
])("%s asks for %s", (text, wanted) => expect(told(text)).toBe(wanted));

test("is written as it is read", () => {
  const texts = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const asked = fc.record({ isNot: fc.boolean(), of: fc.uniqueArray(texts, { minLength: 1, maxLength: 5 }) });
  fc.assert(
    fc.property(asked, (one) => {
      expect(readAsked(writeAsked(one))).toEqual(one);
    }),
  );
});

test("names so many at most", () => {
  const of = Array.from({ length: mostAsked }, (_, n) => `a${n}`);
  expect([readAsked(of.join(","))?.of.length, readAsked([...of, "more"].join(","))]).toEqual([mostAsked, null]);
});
