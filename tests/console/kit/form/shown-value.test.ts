import { z } from "zod";
import { beforeAll, expect, test } from "vitest";
import { control } from "../../../../src/contract/controls.ts";
import { Name } from "../../../../src/contract/wire.ts";
import { writtenField } from "../../../../src/console/kit/form/codecs.ts";
import { formField } from "../../../../src/console/kit/form/fields.ts";
import { LinkedNames } from "../../../../src/console/kit/form/linked.ts";
import { shownValue, wireShown } from "../../../../src/console/kit/form/shown-value.ts";
import { startTexts } from "../../../../src/console/kit/texts/start-texts.ts";

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: { lang: "", dir: "" } } });
  await startTexts("en");
});

const linked = new LinkedNames();
linked.take([{ uuid: "1", name: "Harbour", code: "HB" }]);
const shownBy = { linked, time: (instant: string) => `time of ${instant}` };
const words = {
  label: (path: string) => `<${path}>`,
  hint: () => null,
  choice: (path: string, value: string) => `${path}=${value}`,
};
const Row = z.strictObject({
  name: Name(40),
  type: z.enum(["text", "options"]).meta(control("choice")),
  options: z.string().optional().meta(control("list")),
  required: z.boolean().meta(control("switch")),
  merchant: z.string().meta(control("reference", "merchants")),
});

test("a table of rows is told in words, a line for each, without what is empty", () => {
  const field = formField("attributes", z.array(Row).meta(control("rows")));
  const rows = [
    { uuid: "9", name: "Colour", type: "options", options: "red, green", required: true, merchant: "1" },
    { name: "Size", type: "text", required: false, merchant: "" },
  ];
  expect(shownValue(field, writtenField(field, rows), words, shownBy)).toBe(
    [
      "<attributes.name>: Colour · <attributes.type>: attributes.type=options · <attributes.options>: red, green · <attributes.required>: yes · <attributes.merchant>: HB · Harbour",
      "<attributes.name>: Size · <attributes.type>: attributes.type=text · <attributes.required>: no",
    ].join("\n"),
  );
  expect(shownValue(field, writtenField(field, []), words, shownBy)).toBe("");
});

test("a switch is told as yes or no, a choice and a record by their names", () => {
  const shown = (schema: z.ZodType, value: unknown) => {
    const field = formField("one", schema);
    return shownValue(field, writtenField(field, value), words, shownBy);
  };
  expect(shown(z.boolean().meta(control("switch")), true)).toBe("yes");
  expect(shown(z.enum(["a", "b"]).meta(control("choice")), "b")).toBe("one=b");
  expect(shown(z.array(z.string()).meta(control("references", "merchants")), ["1", "2"])).toBe("HB · Harbour, 2");
  expect(shown(z.string().meta(control("text")), "as written")).toBe("as written");
});

test("a value of the wire without its field is told by its names: a record by its own, others by those of what they hold", () => {
  expect(wireShown([{ name: "Colour", type: "options" }, { name: "Size" }])).toBe("Colour (options), Size");
  expect(wireShown({ minimum: "5.00", maximum: "", fee: ["1", "2"] })).toBe("minimum: 5.00 · fee: 1, 2");
  expect([wireShown(null), wireShown(3), wireShown([])]).toEqual(["", "3", ""]);
});

test("fields a chosen record brought along are told each with its name, one called name too", () => {
  const field = formField("attributes", z.record(z.string(), z.string()).meta(control("given")));
  expect(shownValue(field, writtenField(field, { name: "Acme", colour: "red", size: "" }), words, shownBy)).toBe(
    "name: Acme · colour: red",
  );
});

test("a moment stands as times are written, not as the instant of the wire", () => {
  const field = formField("until", z.iso.datetime().meta(control("moment")));
  expect(shownValue(field, "2026-11-20T06:30:00.000Z", words, shownBy)).toBe("time of 2026-11-20T06:30:00.000Z");
});
