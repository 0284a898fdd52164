import { beforeAll, expect, test } from "vitest";
import { control } from "../../../src/contract/controls.ts";
import { Amount, Instant, Name } from "../../../src/contract/wire.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import { changedText } from "../../../src/console/entity/changed-text.ts";
import { formField } from "../../../src/console/kit/form/fields.ts";
import { inLanguage } from "../in-language.ts";

beforeAll(() => inLanguage("en"));

const moment = "2026-12-02T05:30:00.000Z";
const fields = [
  formField("ends_at", Instant.meta(control("moment"))),
  formField("name", Name(40)),
  formField("held", Amount.meta(control("amount"))),
];
const formats = createFormats(8);
const shown = (field: string, value: unknown, decimals: number | null = 2) =>
  changedText({ subject: "merchant", form: { fields } }, field, value, { ...formats, decimals });

test("history shows a changed time in the currency's zone, a choice by its word, and anything else as it is", () => {
  expect(shown("ends_at", moment)).toBe("2026-12-02 01:30 PM");
  expect(["processed_at", "payment_date", "old_secret_until"].map((field) => shown(field, moment))).toEqual(
    Array.from({ length: 3 }, () => "2026-12-02 01:30 PM"),
  );
  expect(shown("processed_at", "soon")).toBe("soon");
  expect(shown("name", moment)).toBe(moment);
  expect(shown("status", "suspended")).toBe("Suspended");
  expect(["", null, undefined].map((value) => shown("ends_at", value))).toEqual(["–", "–", "–"]);
});

test("and a changed amount grouped, with its currency's decimals where that is known, of which none is rounded away", () => {
  expect([2, 0, null].map((decimals) => shown("final_amount", "2550000.00", decimals))).toEqual([
    "2,550,000.00",
    "2,550,000",
    "2,550,000.00",
  ]);
  expect(shown("held", "-1500.00", 0)).toBe("−1,500");
  expect([shown("fee", "1.50", 0), shown("charges", "0")]).toEqual(["1.5", "0.00"]);
  expect(shown("claim_limit", 100)).toBe("100"); // amounts are texts
  expect(["deposit_rate", "name"].map((field) => shown(field, "1000.00"))).toEqual(["1000.00", "1000.00"]);
  expect(shown("amount", "none")).toBe("none");
});
