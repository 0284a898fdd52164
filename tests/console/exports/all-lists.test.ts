import { beforeAll, describe, expect, test } from "vitest";
import { exportedScreens } from "../../../src/contract/exports.ts";
import type { ExportedScreen } from "../../../src/contract/exports.ts";
import { ListCell } from "../../../src/contract/list-cells.ts";
import { screens } from "../../../src/contract/screens.ts";
import { createFormats } from "../../../src/console/api/formats.ts";
import { gridColumns } from "../../../src/console/entity/shown.ts";
import type { GridColumn } from "../../../src/console/kit/grid/grid-column.ts";
import { takenColumns } from "../../../src/console/kit/grid/taken-rows.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import { depositColumns } from "../../../src/console/screens/deposits/columns.ts";
import { liveColumns } from "../../../src/console/screens/payment-account-live-balances/live-columns.ts";
import { withdrawalColumns } from "../../../src/console/screens/withdrawals/columns.ts";
import { listOf, requireFields } from "../../../src/server/exports/lists.ts";
import { entities } from "../entity/entities.ts";
import { inLanguage } from "../in-language.ts";
import { routed } from "./routed.ts";

const formats = createFormats("+08:00");
const now = () => 0;
const needs = { formats, now, me: "", sla: { amber_minutes: 10, red_minutes: 30 }, room: "wide", time: "age", t: text } as const;

/** The columns of each list, as its grid is given them. */
const columnsOf = (): Partial<Record<string, readonly GridColumn<never>[]>> => ({
  withdrawals: withdrawalColumns(needs),
  deposits: depositColumns(needs),
  "payment-account-live-balances": liveColumns({ formats, now, meta: () => null, grouping: "none", room: "wide", t: text }),
  ...Object.fromEntries(entities.map((entity) => [entity.screen, gridColumns(entity, formats, text)])),
});
const isDrawn = (screen: ExportedScreen): boolean => routed.includes(screen);

beforeAll(() => inLanguage("en"));

describe("every list", () => {
  test("that has rows has its export, with a right of its own", () => {
    const without = routed.filter((screen) => screens[screen].subject !== null && !exportedScreens.some((one) => one === screen));
    // one record as a page of its own, whose list has the export
    expect(without).toEqual(["master-account", "merchant-provider"]);
  });

  test.each(exportedScreens.filter(isDrawn))(
    "of %s: the server knows the list, and each of its columns by what the list answers",
    (screen) => {
      const columns = columnsOf()[screen];
      if (columns === undefined) throw new Error(`what columns has ${screen}?`);
      const taken = takenColumns(
        columns.map((column) => ({ column, width: column.width })),
        ({ id }) => id,
      );
      expect(taken.length).toBeGreaterThan(2);
      const sent = taken.map(({ cell }) => ({ title: "x", width: 100, cell: ListCell.parse(cell) }));
      expect(() => requireFields(listOf(screen), sent)).not.toThrow();
    },
  );
});
