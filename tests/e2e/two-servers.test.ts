import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall({ processes: 2 });

/** The counter of pending withdrawals as the pane shows it. */
const pending = "aside .ctr.h-pending .fig b";

test("two operators on two server processes: never the same withdrawal, an approval turns the other's row into a tombstone, counters follow", async () => {
  const at = await makeFloor(hall, 8);
  const other = await hall.employ(at.office, "Dewi Wulandari");
  const nurul = await sitDown(hall, at, "us", { server: 0 });
  const dewi = await sitDown(hall, { operator: other }, "us", { server: 1 });
  await Promise.all([nurul.pressAll("g", "w", "q"), dewi.pressAll("g", "w", "q")]);
  const got = [await nurul.look(), await dewi.look()];
  for (let n = 0; n < 2; n++) {
    // oxlint-disable-next-line no-await-in-loop -- the presses fall together, round by round
    await Promise.all([nurul.press("n"), dewi.press("n")]);
    // oxlint-disable-next-line no-await-in-loop
    got.push(...(await Promise.all([nurul.look(got.at(-2)), dewi.look(got.at(-1))])));
  }
  expect(new Set(got).size).toBe(6);

  // Dewi puts her cursor on the free row that Nurul takes and approves
  // the second Escape counts within a second of the first: an operator presses again
  await expect
    .poll(async () => {
      await dewi.press("Escape");
      return dewi.mode();
    })
    .toBe("LIST");
  await nurul.press("n");
  const taken = await nurul.look(got.at(-2));
  const row = dewi.page.locator("[role=row]", { hasText: taken.slice(-6) });
  await row.locator("[role=gridcell]").nth(3).click();
  await expect.poll(() => dewi.target()).toBe(taken);
  // a tombstone stands 3 s by this clock, which waits for her key
  await dewi.page.evaluate(() => {
    const now = Date.now();
    Date.now = () => now;
  });
  await nurul.press("a");
  await dewi.page.locator(".row.tombstone", { hasText: taken.slice(-6) }).waitFor();
  await dewi.press("a");
  await dewi.said(/Nurul Aisyah has just approved this withdrawal|This withdrawal is no longer in the list/);

  // both counters are the database's, within the time an event takes
  const { rows } = await hall.db.owner.query<{ count: string }>(
    "select count(*) from transactions where tenant_id = $1 and kind = 'withdrawal' and status = 'pending'",
    [at.office.tenant.id],
  );
  for (const hands of [nurul, dewi]) await expect.poll(() => hands.page.locator(pending).innerText()).toBe(rows[0]?.count);
  const { rows: approvals } = await hall.db.owner.query(
    "select count(*) from transaction_events where tenant_id = $1 and act = 'approve'",
    [at.office.tenant.id],
  );
  expect(approvals).toEqual([{ count: "1" }]);
});
