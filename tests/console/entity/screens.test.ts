import { describe, expect, test } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };
import { accountStatuses } from "../../../src/contract/payment-accounts.ts";
import { merchantStatuses } from "../../../src/contract/merchants.ts";
import type { Entity } from "../../../src/console/entity/entity.ts";
import { labelKey, sectionKey } from "../../../src/console/entity/entity.ts";
import { askedList, readPlace, sortText } from "../../../src/console/entity/filters.ts";
import { merchants } from "../../../src/console/screens/merchants/merchants-entity.ts";
import { paymentAccounts } from "../../../src/console/screens/payment-accounts/payment-accounts-entity.ts";

const texts: Readonly<Record<string, string>> = en;

describe.each([merchants, paymentAccounts].map((entity): [string, Entity] => [entity.screen, entity]))("%s", (_, entity) => {
  const lines = entity.sections.flatMap((section) => section.lines.map((line) => (typeof line === "string" ? line : line.field)));

  test("every column, filter, line and field has its name", () => {
    const named = [
      ...entity.columns.map(({ field }) => field),
      ...entity.filters.map(({ field }) => field),
      ...entity.form.fields.map(({ name }) => name),
      ...lines,
    ];
    expect(named.filter((field) => !(labelKey(entity, field) in texts))).toEqual([]);
  });

  test("every section and group has its title", () => {
    const named = [...entity.sections, ...entity.form.groups].map(({ name }) => sectionKey(entity, name));
    expect(named.filter((key) => !(key in texts))).toEqual([]);
  });

  test("every choice has its word", () => {
    const choices = [
      ...entity.form.fields.flatMap(({ name, choices: all }) => all.map((value) => [name, value] as const)),
      ...entity.filters.flatMap(({ field, choices: all = [] }) => all.map((value) => [field, value] as const)),
    ];
    const missing = choices.filter(([field, value]) => !(`${entity.subject}.${field}.${value}` in texts) && !(`status.${value}` in texts));
    expect(missing).toEqual([]);
  });

  test("every filter is one the list call takes, and its order one it can be sorted by", () => {
    const shape = entity.routes.list.query?.shape ?? {};
    expect(entity.filters.map(({ field }) => `filter[${field}]`).filter((name) => !(name in shape))).toEqual([]);
    expect(sortText(readPlace(entity, {}).sort)).toBe(entity.order);
  });
});

test("every status a person may set has its word", () => {
  expect([...merchantStatuses, ...accountStatuses].filter((status) => !(`status.${status}` in texts))).toEqual([]);
});

describe("the address", () => {
  test("filters and sort are read from it as text", () => {
    const asked = readPlace(merchants, { status: "active,suspended", q: " harbour ", sort: "-created_at", record: "x" });
    expect(askedList(asked)).toEqual({ "filter[status]": "active,suspended", q: "harbour", sort: "-created_at" });
  });

  test("what it says wrongly is left out", () => {
    expect(askedList(readPlace(merchants, { status: "unheard-of", name: "x".repeat(61), sort: "wallet" }))).toEqual({ sort: "name" });
  });
});
