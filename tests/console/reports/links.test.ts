import { beforeAll, describe, expect, test } from "vitest";
import { listFilters } from "../../../src/console/entity/filters.ts";
import { readFilters } from "../../../src/console/lists/filters.ts";
import { accountDays } from "../../../src/console/screens/payment-account-daily-reports/payment-account-daily-reports-entity.ts";
import { cashFlowDays } from "../../../src/console/screens/cash-flow-reports/cash-flow-reports-entity.ts";
import { merchantDays } from "../../../src/console/screens/merchant-daily-reports/merchant-daily-reports-entity.ts";
import type { RecordRow } from "../../../src/console/kit/commands/desks.ts";
import { entities } from "../entity/entities.ts";
import { inLanguage } from "../in-language.ts";

beforeAll(() => inLanguage("en"));

const day = { uuid: "50000001-0000-4000-8000-000000000001", version: 1, day: "2026-11-20", days: 1, state: "closed", code: "SHOP" };

describe.each([accountDays, merchantDays, cashFlowDays])("$screen: what a figure opens", (report) => {
  const rows = [day, { ...day, code: null }, { ...day, day: "2026-11-16", days: 7 }] as unknown as RecordRow[]; // what links read of a row

  test.each(report.columns.map(({ field }) => field))("%s asks the other screen for what that screen can be asked", (field) => {
    for (const row of rows) {
      const link = report.linkOf?.(row, field);
      if (!link) throw new Error("each column of a day opens something");
      const target = entities.find(({ screen }) => screen === link.screen);
      if (target === undefined) throw new Error(`${link.screen} is no list`);
      expect(readFilters(listFilters(target), link.search ?? {})).toEqual(link.search);
    }
  });

  test("a row that only tells a difference opens nothing", () => {
    for (const state of ["difference", "carry-over"])
      expect(report.linkOf?.({ ...day, state } as unknown as RecordRow, "deposits")).toBeNull();
  });
});

test("what is held opens the hold, and failed callbacks the callbacks", () => {
  const row = day as unknown as RecordRow;
  expect(merchantDays.linkOf?.(row, "held")).toMatchObject({
    screen: "merchant-transactions",
    search: { merchant_code: "SHOP", hold: "only", created_at: "2026-11-20" },
  });
  expect(merchantDays.linkOf?.(row, "callbacks_failed")).toMatchObject({
    screen: "merchant-callbacks",
    search: { merchant_code: "SHOP", status: "failed", created_at: "2026-11-20" },
  });
});
