import { expect, test } from "vitest";
import { createFormats } from "../../../src/console/api/formats.ts";
import { inHand } from "../../../src/console/transactions/in-hand.ts";
import { aWithdrawal, dewi } from "../withdrawals/rows.ts";

const formats = createFormats(null);
const at = (instant: string) => Date.parse(`2026-11-21T${instant}.000Z`);

test("a claim is shown with its age, also when it has been renewed since the row was read", () => {
  const claim = { user: dewi.uuid, name: "Dewi", since: "2026-11-21T06:00:00.000Z", until: "2026-11-21T06:01:30.000Z" };
  const row = aWithdrawal({ claim });
  expect(inHand(row, at("06:00:05"), formats)).toMatchObject({ name: "Dewi", short: "00:05" });
  expect(inHand(row, at("06:12:30"), formats)).toMatchObject({ name: "Dewi", short: "12:30" });
});
