import { describe, expect, test } from "vitest";
import { sheetCell, sheetText } from "../../../../src/console/kit/grid/sheet-text.ts";

describe("text for a spreadsheet", () => {
  test.each(["=1+1", "+cmd|'/C calc'!A0", "-1+2", "@SUM(A1)", "＝1+1", "+60 12-345 6789", "-", "=-5"])(
    "%j is kept from running as a formula",
    (text) => {
      expect(sheetCell(text)).toBe(`'${text}`);
    },
  );

  test("a tab or a line break at the start is guarded too, and stays in its cell", () => {
    expect(sheetCell("\t=1")).toBe('"\'\t=1"');
    expect(sheetCell("\r=1")).toBe('"\'\r=1"');
  });

  test.each(["-12.50", "+3", "-1,250.00", "1,250.00", "0", "-0.0001"])("%j is a number and stays one", (text) => {
    expect(sheetCell(text)).toBe(text);
  });

  test("the true minus of an amount becomes one a spreadsheet reads", () => {
    expect(sheetCell("−1,250.00")).toBe("-1,250.00");
  });

  test("quotes, tabs and line breaks do not leave their cell", () => {
    expect(sheetCell('say "hi"')).toBe('"say ""hi"""');
    expect(sheetCell("a\tb")).toBe('"a\tb"');
    expect(sheetCell("a\nb")).toBe('"a\nb"');
  });

  test("cells are parted by tabs, rows by line ends", () => {
    expect(
      sheetText([
        ["a", "b"],
        ["1", "=2"],
      ]),
    ).toBe("a\tb\r\n1\t'=2");
  });
});
