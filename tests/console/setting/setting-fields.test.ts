import { beforeAll, expect, test } from "vitest";
import type { TenantSetting } from "../../../src/contract/settings.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import {
  checkSettings,
  fieldLabel,
  settingSections,
  settingTexts,
  writtenValue,
} from "../../../src/console/screens/setting/setting-fields.ts";
import { TenantSettings } from "../../../src/server/settings/settings.ts";
import { inLanguage } from "../in-language.ts";

const setting: TenantSetting = {
  ...TenantSettings.parse({
    tiers: { MYR: { confirm_from: "5000.00", second_from: "50000.00" } },
    settlement_minimum: { MYR: "100.00" },
  }),
  uuid: "0190b3c0-0000-7000-8000-000000000001",
  version: 3,
};
const values = settingTexts(setting);
const check = (typed: Record<string, string>) => checkSettings(text, { ...values, ...typed }, setting.version);
const lines = (typed: Record<string, string>) => {
  const checked = check(typed);
  return "lines" in checked ? checked.lines : "accepted";
};

beforeAll(() => inLanguage("en"));

test("the form holds every field of the settings, each once and with a name of its own", () => {
  const fields = settingSections(setting).flatMap((section) => section.fields.map(({ name }) => name));
  expect(fields.toSorted()).toEqual(Object.keys(values).toSorted());
  expect(fields.filter((name) => fieldLabel(text, name) === name)).toEqual([]);
});

test("what is not touched is sent as it is", () => {
  const { uuid: _, ...row } = setting;
  expect(check({})).toEqual({ body: row });
});

test("nothing for an expiry means never, and an amount may be written with its commas", () => {
  expect(check({ withdrawal_expiry_hours: " ", "tiers.MYR.second_from": "60,000.00" })).toMatchObject({
    body: { withdrawal_expiry_hours: null, tiers: { MYR: { second_from: "60000.00" } } },
  });
  expect(writtenValue(text, "withdrawal_expiry_hours", "")).toBe("never");
});

test.each([
  [{ claim_limit: "0" }, { claim_limit: ["Must be a whole number from 1 to 100"] }],
  [{ claim_limit: "2.5" }, { claim_limit: ["Must be a whole number from 1 to 100"] }],
  [{ deposit_expiry_minutes: "" }, { deposit_expiry_minutes: ["Must be a whole number from 1 to 10,080"] }],
  [{ "sla.amber_minutes": "10" }, { "sla.amber_minutes": ["Must be below the red limit"] }],
  [{ "tiers.MYR.confirm_from": "100.555" }, { "tiers.MYR.confirm_from": ["At most 2 decimals"] }],
  [{ "tiers.MYR.confirm_from": "1,50" }, { "tiers.MYR.confirm_from": ["Must be an amount such as 1,000.00, not below zero"] }],
  [{ "tiers.MYR.confirm_from": "60000" }, { "tiers.MYR.confirm_from": ["Must not exceed the second-approval amount"] }],
  [{ "reject_reasons.8.text": "Ours" }, { "reject_reasons.8.code": [expect.stringContaining("lowercase letters")] }],
  [{ "reject_reasons.8.code": "ours" }, { "reject_reasons.8.text": ["Must be filled in"] }],
  [{ "reject_reasons.7.code": "duplicate" }, { "reject_reasons.7.code": ["Appears twice"] }],
] as [Record<string, string>, object][])("%j is told at its field", (typed, expected) => expect(lines(typed)).toEqual(expected));

test("a reason's line stays at its own digit when one before it is empty", () => {
  expect(lines({ "reject_reasons.2.code": "", "reject_reasons.2.text": "", "reject_reasons.6.code": "Not Small" })).toEqual({
    "reject_reasons.6.code": [expect.stringContaining("lowercase letters")],
    "reject_reasons.6.text": ["Must be filled in"],
  });
});

test("without any reason the first digit asks for one", () => {
  const none = Object.fromEntries(
    Object.keys(values)
      .filter((name) => name.startsWith("reject_reasons."))
      .map((name) => [name, ""]),
  );
  expect(lines(none)).toEqual({ "reject_reasons.0.code": ["There must be at least one reason"] });
});

test("English and Chinese are sent whatever the form holds", () => {
  expect(check({ "languages.ar": "on" })).toMatchObject({ body: { languages: ["en", "zh", "ar"] } });
});
