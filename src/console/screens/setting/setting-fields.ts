import { z } from "zod";
import type { FieldLines } from "../../../contract/problems.ts";
import type { SettingName, SettingSectionName, TenantSetting } from "../../../contract/settings.ts";
import { alwaysOffered, languages } from "../../../contract/languages.ts";
import { SettingChange, settingParts, SettingValues, soundEvents } from "../../../contract/settings.ts";
import type { Values } from "../../kit/form/conflict.ts";
import type { Checked, FormField } from "../../kit/form/fields.ts";
import { formField } from "../../kit/form/fields.ts";
import { notAmountLine, tooFineLine } from "../../kit/look/amounts.ts";
import type { MessageKey, Words } from "../../kit/texts/messages.ts";
import type { text } from "../../kit/texts/texts.ts";
import { minorDigitsOf } from "../../../values/currencies.ts";
import { fitsMinorUnit, money, readAmount, typedAmount } from "../../../values/money.ts";
import { ruleText } from "../../kit/texts/rule-text.ts";
import { hasText } from "../../kit/texts/texts.ts";

type Text = typeof text;

/** One field: its name is the path of its value in a setting, as the server names it in a 422. */
export interface SettingField {
  readonly name: string;
  readonly part: SettingName;
  /** As the contract declares it. */
  readonly field: FormField;
  readonly unit?: MessageKey;
  /** On a line of its own. */
  readonly wide?: true;
  /** Cannot be changed: always on. */
  readonly fixed?: true;
}

export interface SettingSection {
  readonly name: SettingSectionName;
  readonly fields: readonly SettingField[];
}

/** Digits a rejection's reason may stand on. */
const slots = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

const on = "on";
const off = "off";

/** No field of the settings is marked as one to fill in: each has what is in force. */
const declared = (name: string): FormField => ({ ...formField(name, schemaAt(name.split("."))), required: false });

/** The schema of a value by its path; one language of those offered is on or off. */
function schemaAt(path: readonly string[]): z.ZodType {
  if (path[0] === "languages") return settingParts.auto_match;
  return path.reduce((schema: z.ZodType, step) => {
    const inner =
      schema instanceof z.ZodObject
        ? (schema.shape as Readonly<Record<string, z.ZodType>>)[step] // the core type of a shape's members is what zod builds
        : schema instanceof z.ZodRecord
          ? schema.valueType
          : schema instanceof z.ZodArray
            ? schema.element
            : undefined;
    if (!(inner instanceof z.ZodType)) throw new Error(`the settings have no ${path.join(".")}`);
    return inner;
  }, SettingValues);
}

const one = (name: string, part: SettingName): SettingField => ({ name, part, field: declared(name) });
const count = (name: SettingName, unit: MessageKey): SettingField => ({ ...one(name, name), unit });
const toggle = (name: SettingName): SettingField => one(name, name);

/** The form in sections; tiers as the tenant's currencies have it. */
export function settingSections({ tiers }: Pick<TenantSetting, "tiers">): readonly SettingSection[] {
  return [
    {
      name: "deposits",
      fields: [
        count("deposit_expiry_minutes", "setting.unit.minutes"),
        { ...toggle("auto_match"), wide: true },
        { ...toggle("approve_on_match"), wide: true },
      ],
    },
    {
      name: "withdrawals",
      fields: [
        count("withdrawal_expiry_hours", "setting.unit.hours"),
        count("claim_limit", "setting.unit.claims"),
        count("recall_seconds", "setting.unit.seconds"),
        one("sla.amber_minutes", "sla"),
        one("sla.red_minutes", "sla"),
      ],
    },
    {
      name: "tiers",
      fields: Object.keys(tiers).flatMap((currency) => [
        ...(["confirm_from", "second_from"] as const).map((edge) => one(`tiers.${currency}.${edge}`, "tiers")),
        one(`settlement_minimum.${currency}`, "settlement_minimum"),
      ]),
    },
    {
      name: "reasons",
      fields: slots.flatMap((slot): SettingField[] => [
        one(`reject_reasons.${slot}.code`, "reject_reasons"),
        one(`reject_reasons.${slot}.text`, "reject_reasons"),
        one(`reject_reasons.${slot}.told`, "reject_reasons"),
      ]),
    },
    {
      name: "access",
      fields: [
        { ...toggle("require_two_factor"), wide: true },
        ...languages.map((language): SettingField => {
          const field = one(`languages.${language}`, "languages");
          return alwaysOffered.some((always) => always === language) ? { ...field, fixed: true } : field;
        }),
      ],
    },
    { name: "sounds", fields: soundEvents.map((event) => one(`sounds.${event}`, "sounds")) },
    { name: "development", fields: [{ ...toggle("loopback_callbacks"), wide: true }] },
  ];
}

/** A field's label, and what its tier or digit is of. */
export function fieldLabel(t: Text, name: string): string {
  const [part = "", of = "", detail = ""] = name.split(".");
  if (part === "languages" && of !== "") return t(`language.${of}` as MessageKey); // every language has its name
  if (part === "tiers" && detail !== "") return t(`setting.field.tiers.${detail}` as MessageKey, { currency: of }); // a tier's two edges
  if (part === "settlement_minimum" && of !== "") return t("setting.field.settlement_minimum.of", { currency: of });
  if (part === "reject_reasons" && detail !== "")
    return t(`setting.field.reject_reasons.${detail}` as MessageKey, { digit: Number(of) + 1 }); // code, text or told
  const key = `setting.field.${name}`;
  return hasText(key) ? t(key) : name;
}

const flag = (value: boolean): string => (value ? on : off);

/** A setting as its form's texts. */
export function settingTexts(row: Omit<TenantSetting, "uuid" | "version">): Values {
  return {
    deposit_expiry_minutes: String(row.deposit_expiry_minutes),
    withdrawal_expiry_hours: row.withdrawal_expiry_hours === null ? "" : String(row.withdrawal_expiry_hours),
    claim_limit: String(row.claim_limit),
    recall_seconds: String(row.recall_seconds),
    "sla.amber_minutes": String(row.sla.amber_minutes),
    "sla.red_minutes": String(row.sla.red_minutes),
    ...Object.fromEntries(
      Object.entries(row.tiers).flatMap(([currency, tier]) =>
        Object.entries(tier).map(([edge, amount]) => [`tiers.${currency}.${edge}`, typedAmount(amount, minorDigitsOf(currency))]),
      ),
    ),
    ...Object.fromEntries(
      Object.entries(row.settlement_minimum).map(([currency, amount]) => [
        `settlement_minimum.${currency}`,
        typedAmount(amount, minorDigitsOf(currency)),
      ]),
    ),
    ...Object.fromEntries(
      slots.flatMap((slot) => [
        [`reject_reasons.${slot}.code`, row.reject_reasons[slot]?.code ?? ""],
        [`reject_reasons.${slot}.text`, row.reject_reasons[slot]?.text ?? ""],
        [`reject_reasons.${slot}.told`, row.reject_reasons[slot]?.told ?? ""],
      ]),
    ),
    ...Object.fromEntries(languages.map((language) => [`languages.${language}`, flag(row.languages.includes(language))])),
    ...Object.fromEntries(soundEvents.map((event) => [`sounds.${event}`, flag(row.sounds[event])])),
    auto_match: flag(row.auto_match),
    approve_on_match: flag(row.approve_on_match),
    require_two_factor: flag(row.require_two_factor),
    loopback_callbacks: flag(row.loopback_callbacks),
  };
}

/** Slots with anything in them: what stands on the digits, without gaps. */
const filled = (values: Values) =>
  slots.filter((slot) => ["code", "text"].some((part) => (values[`reject_reasons.${slot}.${part}`] ?? "").trim() !== ""));

/** What would be sent; a text that is no number stays one, for the schema to refuse. */
function bodyOf(values: Values, version: number | null): object {
  const written = (name: string): string => (values[name] ?? "").trim();
  const number = (name: string) => (/^\d+$/.test(written(name)) ? Number(written(name)) : written(name));
  const isOn = (name: string): boolean => values[name] === on;
  const amount = (name: string): string => readAmount(written(name)) ?? written(name);
  const tiers: Record<string, Record<string, string>> = {};
  const minimums: Record<string, string> = {};
  for (const name of Object.keys(values)) {
    const [part, currency = "", edge = ""] = name.split(".");
    if (part === "tiers") tiers[currency] = { ...tiers[currency], [edge]: amount(name) };
    if (part === "settlement_minimum") minimums[currency] = amount(name);
  }
  return {
    version,
    deposit_expiry_minutes: number("deposit_expiry_minutes"),
    withdrawal_expiry_hours: written("withdrawal_expiry_hours") === "" ? null : number("withdrawal_expiry_hours"),
    claim_limit: number("claim_limit"),
    recall_seconds: number("recall_seconds"),
    sla: { amber_minutes: number("sla.amber_minutes"), red_minutes: number("sla.red_minutes") },
    tiers,
    settlement_minimum: minimums,
    reject_reasons: filled(values).map((slot) => ({
      code: written(`reject_reasons.${slot}.code`),
      text: written(`reject_reasons.${slot}.text`) || null,
      told: written(`reject_reasons.${slot}.told`) || undefined,
    })),
    languages: languages.filter((language) => isOn(`languages.${language}`)),
    sounds: Object.fromEntries(soundEvents.map((event) => [event, isOn(`sounds.${event}`)])),
    auto_match: isOn("auto_match"),
    approve_on_match: isOn("approve_on_match"),
    require_two_factor: isOn("require_two_factor"),
    loopback_callbacks: isOn("loopback_callbacks"),
  };
}

/** Bounds of the counts, for their line: what the schema says of each. */
const bounds: Readonly<Record<string, Words>> = {
  deposit_expiry_minutes: { min: 1, max: "10,080" },
  withdrawal_expiry_hours: { min: 1, max: "8,760" },
  claim_limit: { min: 1, max: 100 },
  recall_seconds: { min: 0, max: 60 },
  "sla.amber_minutes": { min: 1, max: "10,080" },
  "sla.red_minutes": { min: 1, max: "10,080" },
};

function lineOf(t: Text, name: string, value: string, { code, message }: { code: string; message: string }): string {
  const range = bounds[name];
  if (range && code !== "custom") return t("record.rule.between", range);
  if (name === "reject_reasons") return t("setting.rule.one-reason");
  if (isOfCurrency(name) && readAmount(value) === null) return notAmountLine(t, minorDigitsOf(name.split(".")[1] ?? ""));
  if (name.endsWith(".text") && code === "too_big") return t("record.rule.too-long", { count: 120 });
  return ruleText(message);
}

/** Whether it is an amount of the currency its name tells. */
const isOfCurrency = (name: string): boolean => name.startsWith("tiers.") || name.startsWith("settlement_minimum.");

/** Amounts with more decimals than their currency has. */
function tooFine(t: Text, values: Values): FieldLines {
  const lines: FieldLines = {};
  for (const [name, value] of Object.entries(values)) {
    const [, currency = ""] = name.split(".");
    const amount = isOfCurrency(name) ? readAmount(value) : null;
    const minorDigits = minorDigitsOf(currency);
    if (amount !== null && !fitsMinorUnit(money(amount), minorDigits)) lines[name] = [tooFineLine(t, minorDigits)];
  }
  return lines;
}

/** What would be sent, by the route's own schema; or what is wrong, by field. */
export function checkSettings(t: Text, values: Values, version: number | null): Checked {
  const read = SettingChange.safeParse(bodyOf(values, version));
  const lines = tooFine(t, values);
  if (read.success && Object.keys(lines).length === 0) return { body: read.data };
  const kept = filled(values);
  for (const issue of read.error?.issues ?? []) {
    const path = issue.path.map((step, at) => (issue.path[0] === "reject_reasons" && at === 1 ? kept[Number(step)] : step));
    const name = path.join(".");
    // without any reason the first digit's is the one to fill in
    lines[name === "reject_reasons" ? "reject_reasons.0.code" : name] ??= [lineOf(t, name, values[name] ?? "", issue)];
  }
  return { lines };
}

/** A value in the operator's words. */
export function writtenValue(t: Text, name: string, value: string): string {
  if (value === on || value === off) return t(`setting.switch.${value}`);
  if (value !== "") return value;
  return name === "withdrawal_expiry_hours" ? t("setting.never") : "–";
}
