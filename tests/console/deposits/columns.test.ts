import { beforeAll, describe, expect, test } from "vitest";
import { createFormats } from "../../../src/console/api/formats.ts";
import { text } from "../../../src/console/kit/texts/texts.ts";
import { depositColumns } from "../../../src/console/screens/deposits/columns.ts";
import { waitsForUs } from "../../../src/console/screens/deposits/waits-for-us.ts";
import { ageClass } from "../../../src/console/transactions/age.ts";
import { inLanguage } from "../in-language.ts";
import { me } from "../withdrawals/rows.ts";
import { aDeposit } from "./rows.ts";

beforeAll(() => inLanguage("en"));

const now = Date.parse("2026-11-21T06:30:00Z");
const sla = { amber_minutes: 10, red_minutes: 20 };
const columnsOf = (room: "wide" | "medium" | "narrow", time: "age" | "created" = "age") =>
  depositColumns({ formats: createFormats("+08:00"), now: () => now, me, sla, room, time, t: text });
const shownIn = (...asked: Parameters<typeof columnsOf>) => columnsOf(...asked).flatMap(({ id, aside }) => (aside === true ? [] : [id]));

describe("the columns of deposits", () => {
  test("stand in the order in which a deposit is judged; little room takes what was asked, what the merchant receives and the merchant away", () => {
    const wide = ["status", "age", "amount", "asked", "receive", "customer", "credited", "reference", "merchant", "flags", "txn", "claim"];
    expect(shownIn("wide")).toEqual(wide);
    expect(shownIn("medium")).toEqual(wide.filter((id) => !["asked", "receive", "merchant"].includes(id)));
  });

  test("have no column twice, and every column in every room", () => {
    const ids = columnsOf("narrow").map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(columnsOf("wide", "created").map(({ id }) => id)).toEqual(ids);
  });

  test("where another amount arrived, what was asked stands beside it and the amount stands out", () => {
    const cell = (id: string, row = aDeposit()) => {
      const column = columnsOf("wide").find((one) => one.id === id);
      return { text: column?.text(row), look: column?.className?.(row), hint: column?.hint?.(row) };
    };
    expect(cell("asked")).toMatchObject({ text: "" });
    expect(cell("amount")).toEqual({ text: "1,000.00", look: "strong", hint: "" });
    const other = aDeposit({ amount: "950.00", asked_amount: "1000.00" });
    expect(cell("asked", other)).toMatchObject({ text: "1,000.00" });
    expect(cell("amount", other)).toEqual({ text: "950.00", look: "strong warn", hint: "Asked: 1,000.00" });
  });

  test("only a deposit that was paid is ever late: until then the customer lets us wait", () => {
    expect(ageClass(aDeposit(), now, sla, waitsForUs)).toBe("age re");
    expect(ageClass(aDeposit({ status: "pending" }), now, sla, waitsForUs)).toBe("age");
  });
});
