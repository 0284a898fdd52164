import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PayoutLayout } from "../../../src/contract/payout-templates.ts";
import {
  payoutDates,
  payoutDecimals,
  payoutDelimiters,
  payoutEncodings,
  payoutFields,
  payoutQuotes,
} from "../../../src/contract/payout-templates.ts";
import { encode, unwritable } from "../../../src/server/payout-files/encode.ts";
import type { PayoutLine } from "../../../src/server/payout-files/write-file.ts";
import { faultOfHead, faultsOf, fileOf, linesOf } from "../../../src/server/payout-files/write-file.ts";
import { templateForm } from "../../support/payout-files.ts";

const marks = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
const setting = { day: "2026-11-24", minorDigits: 2 };
const line: PayoutLine = {
  amount: "1250.5",
  currency: "MYR",
  holder: "TAN WEI MING",
  account_number: "001234567890",
  bank: "Maybank",
  txn_no: "W2611241234567",
  merchant_txn_no: "N1",
  member: "M1",
  customer_name: "Tan Wei Ming",
  merchant: "Kasih",
  paying_code: "MBB-01",
  paying_number: "5140",
  paying_holder: "Mahsuri Sdn Bhd",
  paying_bank: "Maybank",
};
const layoutOf = (more: Partial<PayoutLayout>): PayoutLayout => templateForm(more);
const only = (field: PayoutLayout["columns"][number]["field"], more: Partial<PayoutLayout> = {}, value = "") =>
  linesOf(layoutOf({ head: false, columns: [{ field, title: "", value }], ...more }), [line], setting)[0];

/** Whatever a customer may be called, and what hurts a file. */
const names = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: fc.constantFrom("=", "+", "-", "@", '"', ",", ";", "|", "\t", "\r", "\n", "'", " ", "é", "中", "أ", "1") }),
  fc.constantFrom("=1+1", "@SUM(A1)", "+60123", '-2+3+cmd|" /C calc"!A0', "＝1+1", "王小明", "Zoë"),
);
const layouts = fc.record({
  columns: fc.array(fc.record({ field: fc.constantFrom(...payoutFields), title: names, value: names }), { minLength: 2, maxLength: 8 }),
  head: fc.boolean(),
  delimiter: fc.constantFrom(...payoutDelimiters),
  quotes: fc.constantFrom(...payoutQuotes),
  decimal_mark: fc.constantFrom(...payoutDecimals),
  date_format: fc.constantFrom(...payoutDates),
  encoding: fc.constantFrom(...payoutEncodings),
});
const rows = fc.array(
  fc.record({ holder: names, customer_name: names, amount: fc.integer({ min: 1, max: 10 ** 9 }).map((n) => `${n}.50`) }),
  { maxLength: 5 },
);

/** A sheet takes it for a formula. */
const isFormula = (cell: string) => /^[=+\-@＝＋－＠]./su.test(cell);

describe("what is written", () => {
  test("reads back: as many lines and cells, each amount and day as it was, no cell a formula", () => {
    fc.assert(
      fc.property(layouts, rows, (layout, given) => {
        const all = given.map((one) => ({ ...line, ...one }));
        const head = faultOfHead(layout);
        const faults = faultsOf(layout, all, setting);
        const lines = head === null ? all.filter((_, at) => faults[at] === null) : [];
        if (head !== null) return;
        const bytes = fileOf(linesOf(layout, lines, setting), layout);
        const label = layout.encoding === "utf-8-mark" ? "utf-8" : layout.encoding;
        const text = new TextDecoder(label, { fatal: true }).decode(bytes);
        const read: string[][] = parse(text, {
          delimiter: marks[layout.delimiter],
          quote: layout.quotes === "never" ? null : '"',
          record_delimiter: "\r\n",
        });
        const body = layout.head ? read.slice(1) : read;
        expect(body.length).toBe(lines.length);
        for (const [at, cells] of body.entries()) {
          expect(cells.length).toBe(layout.columns.length);
          expect(cells.filter(isFormula)).toEqual([]);
          layout.columns.forEach(({ field }, column) => {
            const amount = lines[at]?.amount ?? "";
            const kept: Partial<Record<typeof field, string>> = {
              amount: layout.decimal_mark === "comma" ? amount.replace(".", ",") : amount,
              account_number: "001234567890",
            };
            expect(cells[column]).toBe(kept[field] ?? cells[column]);
          });
        }
      }),
      { numRuns: 400 },
    );
  });

  test("amounts have the currency's decimals and the layout's mark", () => {
    expect(only("amount")).toBe("1250.50");
    expect(only("amount", { decimal_mark: "comma", delimiter: "semicolon" })).toBe("1250,50");
    const dong = linesOf(
      layoutOf({ head: false, columns: [{ field: "amount", title: "", value: "" }] }),
      [{ ...line, amount: "4850000.00" }],
      {
        ...setting,
        minorDigits: 0,
      },
    );
    expect(dong).toEqual(["4850000"]);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"])("the formula %j is a text", (value) => {
    expect(only("constant", {}, value)).toMatch(/^'/u);
  });

  test("days are written as the bank wants them", () => {
    expect(payoutDates.map((date_format) => only("date", { date_format }))).toEqual([
      "2026-11-24",
      "24/11/2026",
      "11/24/2026",
      "24-11-2026",
      "24.11.2026",
      "20261124",
      "24112026",
    ]);
  });

  test("without quotes a mark within a cell is a fault, and with them it is quoted", () => {
    const holder = { ...line, holder: 'LIM, "AH" BENG' };
    expect(faultsOf(layoutOf({ quotes: "never" }), [holder], setting)).toEqual([{ column: 2, sign: "," }]);
    expect(linesOf(layoutOf({ head: false, columns: [{ field: "holder", title: "", value: "" }] }), [holder], setting)).toEqual([
      '"LIM, ""AH"" BENG"',
    ]);
  });

  test("what an encoding lacks is a fault of its row and column", () => {
    const chinese = { ...line, holder: "王小明" };
    expect(faultsOf(layoutOf({ encoding: "windows-1252" }), [line, chinese], setting)).toEqual([null, { column: 2, sign: "王" }]);
    expect(faultsOf(layoutOf({ encoding: "gb18030" }), [line, chinese], setting)).toEqual([null, null]);
    expect(faultsOf(layoutOf({ encoding: "utf-8" }), [{ ...line, holder: "\ud800" }], setting)).toEqual([{ column: 2, sign: "\ud800" }]);
  });
});

describe("encodings", () => {
  test.each([
    ["windows-1252", "Zoë Ñandú € “x”"],
    ["gb18030", "王小明 € 𠀀 ﷼ é Ж 龥 ㄱ"],
    ["gb18030", "أحمد नेहा 😀"],
  ] as const)("%s writes %j as its decoder reads it", (encoding, text) => {
    expect(unwritable(text, encoding)).toBeNull();
    expect(new TextDecoder(encoding, { fatal: true }).decode(encode(text, encoding))).toBe(text);
  });

  test("each character either reads back or is named", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 5 }),
        fc.constantFrom("windows-1252" as const, "gb18030" as const),
        (text, encoding) => {
          const sign = unwritable(text, encoding);
          const writable = sign === null ? text : "";
          expect(text).toContain(sign ?? "");
          expect(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(encode(writable, encoding))).toBe(writable);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("UTF-16 begins with its mark, UTF-8 where it is asked for", () => {
    expect(encode("é", "utf-16le").toString("hex")).toBe("fffee900");
    expect(encode("é", "utf-8-mark").toString("hex")).toBe("efbbbfc3a9");
    expect(encode("é", "utf-8").toString("hex")).toBe("c3a9");
  });
});
