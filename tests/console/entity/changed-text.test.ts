import { beforeAll, expect, test } from "vitest";
import { control } from "../../../src/contract/controls.ts";
import { Instant, Name } from "../../../src/contract/wire.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import { changedText } from "../../../src/console/entity/changed-text.ts";
import { formField } from "../../../src/console/kit/form/fields.ts";
import { inLanguage } from "../in-language.ts";

beforeAll(() => inLanguage("en"));

const moment = "2026-12-02T05:30:00.000Z";
const fields = [formField("ends_at", Instant.meta(control("moment"))), formField("name", Name(40))];
const formats = createFormats(8);
const shown = (field: string, value: unknown) => changedText({ subject: "merchant", form: { fields } }, field, value, formats);

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
