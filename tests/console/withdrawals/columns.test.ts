import { beforeAll, describe, expect, test } from "vitest";
import { createFormats } from "../../../src/console/api/formats.ts";
import { takenColumns } from "../../../src/console/kit/grid/taken-rows.ts";
import { withdrawalColumns } from "../../../src/console/screens/withdrawals/columns.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import { cellReader } from "../../../src/contract/list-cells.ts";
import { inLanguage } from "../in-language.ts";
import { aWithdrawal, dewi, me } from "./rows.ts";

const rejected = aWithdrawal({
  status: "rejected",
  merchant_txn_no: "HP-2026-88",
  reference_no: "REF-7",
  processed_at: "2026-11-21T06:10:00.000Z",
  processed_by: dewi,
  rejected_at: "2026-11-21T17:30:00.000Z",
  rejected_by: dewi,
  reject_reason: "payee is under investigation",
});

const columnsOf = (room: "wide" | "medium" | "narrow", time: "age" | "created") =>
  withdrawalColumns({
    formats: createFormats("+08:00"),
    now: () => Date.parse("2026-11-21T06:30:00Z"),
    me,
    sla: { amber_minutes: 10, red_minutes: 30 },
    room,
    time,
    t: text,
  });

const asideOf = (...asked: Parameters<typeof columnsOf>) => columnsOf(...asked).flatMap(({ id, aside }) => (aside === true ? [id] : []));

beforeAll(() => inLanguage("zh"));

describe("the columns of withdrawals", () => {
  test("show the whole title of age and flags where another language has a longer one", async () => {
    const widths = () => columnsOf("narrow", "age").flatMap(({ id, width }) => (/age|flags/.test(id) ? [width] : []));
    // four Han characters, and the padding of the cell
    expect(widths()).toEqual([76, 76]);
    await inLanguage("en");
    expect(widths()).toEqual([64, 60]);
    await inLanguage("zh");
  });

  test("have every date of the record in full with who acted, its numbers, the whole account number, member and reason", () => {
    const cells = Object.fromEntries(columnsOf("wide", "age").map(({ id, text }) => [id, text(rejected)]));
    expect(cells).toMatchObject({
      created: "2026-11-21 02:00 PM",
      processed: "2026-11-21 02:10 PM",
      "processed-by": "Dewi",
      approved: "",
      "approved-by": "",
      rejected: "2026-11-22 01:30 AM",
      "rejected-by": "Dewi",
      reason: "payee is under investigation",
      expired: "",
      completed: "",
      source: "Merchant API",
      "payment-date": "",
      "last-action": "2026-11-21 02:00 PM",
      charges: "0.00",
      "charges-type": "Fixed amount",
      remark: "",
      "merchant-number": "HP-2026-88",
      reference: "REF-7",
      account: "114022074821",
      member: "hp_1",
    });
  });

  test("their dates go into a file as instants", () => {
    const shown = columnsOf("wide", "age").map((column) => ({ column, width: column.width }));
    const reading = { word: () => null, now: 0, decimals: 2 };
    const times = takenColumns(shown, ({ id }) => id).flatMap(({ id, cell }) =>
      cell.as === "time" ? [[id, cellReader("withdrawal", cell)(rejected, reading)]] : [],
    );
    expect(Object.fromEntries(times)).toEqual({
      created: "2026-11-21T06:00:00.000Z",
      "payment-date": null,
      processed: "2026-11-21T06:10:00.000Z",
      approved: null,
      rejected: "2026-11-21T17:30:00.000Z",
      expired: null,
      completed: null,
      "last-action": "2026-11-21T06:00:00.000Z",
    });
  });

  test("the date of creation is shown wherever rows are decided, and stands for their order there; little room takes none away", () => {
    for (const room of ["wide", "medium", "narrow"] as const) {
      expect(asideOf(room, "age")).toContain("created");
      expect(asideOf(room, "created")).not.toContain("created");
    }
    expect(asideOf("narrow", "age")).toEqual(expect.arrayContaining(["fee", "final", "merchant"]));
    const ids = (room: "wide" | "narrow") => columnsOf(room, "age").map(({ id }) => id);
    expect(ids("narrow")).toEqual(ids("wide"));
    const sortable = (time: "age" | "created") => columnsOf("wide", time).filter((column) => column.sortable === true);
    expect(sortable("age").map(({ id }) => id)).not.toContain("created");
    expect(sortable("created").map(({ id }) => id)).toEqual(["status", "created", "amount", "customer", "txn"]);
  });
});
