import { describe, expect, test } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };
import { accountStatuses } from "../../../src/contract/payment-accounts.ts";
import { merchantStatuses, tenantMerchantRoutes } from "../../../src/contract/merchants.ts";
import type { Entity } from "../../../src/console/entity/entity.ts";
import { rightsOf } from "../../../src/console/entity/entity-work.ts";
import { labelKey, sectionKey } from "../../../src/console/entity/entity.ts";
import { askedList, readPlace } from "../../../src/console/entity/filters.ts";
import { gridColumns } from "../../../src/console/entity/shown.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import { titledWidth } from "../../../src/console/kit/grid/title-width.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import { sortText } from "../../../src/console/lists/sort-text.ts";
import { merchants } from "../../../src/console/screens/merchants/merchants-entity.ts";
import { paymentAccounts } from "../../../src/console/screens/payment-accounts/payment-accounts-entity.ts";
import { entities } from "./entities.ts";
import { inLanguage } from "../in-language.ts";

const texts: Readonly<Record<string, string>> = en;
const formats = createFormats(8);

describe.each(entities.map((entity): [string, Entity] => [entity.screen, entity]))("%s", (_, entity) => {
  const lines = entity.sections.flatMap(({ lines: own = [], table }) =>
    [...own, ...(table?.columns ?? [])].map((line) => (typeof line === "string" ? line : line.field)),
  );

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
      // permissions have words of their own (kit/form/rights-words.ts)
      ...entity.form.fields.flatMap(({ name, control, choices: all }) =>
        control === "permissions" ? [] : all.map((value) => [name, value] as const),
      ),
      ...entity.filters.flatMap(({ field, choices: all = [] }) => all.map((value) => [field, value] as const)),
    ];
    const missing = choices.filter(
      ([field, value]) => !(`${entity.words ?? entity.subject}.${field}.${value}` in texts) && !(`status.${value}` in texts),
    );
    expect(missing).toEqual([]);
  });

  test("every filter is one the list call takes, and its order one it can be sorted by", () => {
    const shape = entity.routes.list.query?.shape ?? {};
    const names = entity.filters.flatMap(({ field, as }) => (as ? [`${field}_from`, `${field}_to`] : [field]));
    expect(names.filter((name) => !(`filter[${name}]` in shape))).toEqual([]);
    expect(sortText(readPlace(entity, {}).sort)).toBe(entity.order);
  });
});

test("each act asks for the right of its route, and no act is offered without one", () => {
  expect(rightsOf(merchants)).toEqual({
    create: tenantMerchantRoutes.createMerchant.permission,
    update: tenantMerchantRoutes.updateMerchant.permission,
    status: tenantMerchantRoutes.changeMerchantStatus.permission,
    remove: tenantMerchantRoutes.deleteMerchant.permission,
  });
  const { list, read } = merchants.routes;
  expect(rightsOf({ ...merchants, routes: { list, read } })).toEqual({});
  expect([merchants.statuses, paymentAccounts.statuses]).toEqual([merchantStatuses, accountStatuses]);
});

test("every status a person may set has its word", () => {
  expect([...merchantStatuses, ...accountStatuses].filter((status) => !(`status.${status}` in texts))).toEqual([]);
});

const now = Date.parse("2026-11-21T06:30:00Z");

describe("the address", () => {
  test("filters and sort are read from it as text", () => {
    const asked = readPlace(merchants, { status: "active,suspended", q: " harbour ", sort: "-created_at", record: "x" });
    expect(askedList(merchants, asked, now, 480)).toEqual({ "filter[status]": "active,suspended", q: "harbour", sort: "-created_at" });
  });

  test("what it says wrongly is left out", () => {
    const wrong = { status: "unheard-of", name: "x".repeat(61), sort: "wallet", hold: "much", created_at: "2026-02-30" };
    expect(askedList(merchants, readPlace(merchants, wrong), now, 480)).toEqual({ sort: "name" });
  });

  test("amounts and days become their bounds, the day that of the zone; several columns sort", () => {
    const asked = readPlace(merchants, { wallet: "5..9", hold: "1,000..", created_at: "2026-11-20", sort: "status,-name" });
    expect(askedList(merchants, asked, now, 480)).toEqual({
      "filter[wallet_from]": "5",
      "filter[wallet_to]": "9",
      "filter[hold_from]": "1000",
      "filter[created_at_from]": "2026-11-19T16:00:00.000Z",
      "filter[created_at_to]": "2026-11-20T16:00:00.000Z",
      sort: "status,-name",
    });
  });
});

test("an account number is shown in fours, and is copied, found and exported as it stands", () => {
  const column = gridColumns(paymentAccounts, formats, text).find(({ id }) => id === "account_number");
  const row = { uuid: "a", account_number: "514012340001" } as never; // what the column reads
  expect([column?.shown?.(row), column?.text(row)]).toEqual(["5140 1234 0001", "514012340001"]);
});

test("a column is as wide as its title asks for, up to a bound", async () => {
  const widths = () => Object.fromEntries(gridColumns(merchants, formats, text).map(({ id, width }) => [id, width]));
  await inLanguage("de");
  const german = widths();
  await inLanguage("en");
  // "Einzahlungssatz" and "Für Auszahlungen vorgemerkt"
  expect([german["deposit_rate"], german["hold"]]).toEqual([titledWidth("Einzahlungssatz", 0), 140]);
  expect(widths()["deposit_rate"]).toBe(titledWidth("Deposit rate", 0));
});
