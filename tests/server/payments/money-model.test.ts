import fc from "fast-check";
import { expect, test } from "vitest";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { testDatabase } from "../../support/database.ts";
import { long, replayed } from "../../support/deep.ts";
import { moveCommands } from "../../support/money-move-commands.ts";
import { commands } from "../../support/money-commands.ts";
import { openOffice } from "../../support/money-office.ts";

const db = testDatabase({ pool: 8, patient: true });

async function broken() {
  const client = await db.owner.connect();
  try {
    return (await checkInvariants(client)).filter(({ rows }) => rows.length > 0);
  } finally {
    client.release();
  }
}

/**
 * To see a failure again: REPLAY='{"seed":…,"path":"…","replayPath":"…"}' with what it printed.
 */
test(
  "random acts on money in, money out and money moved do what a small model says, and the books agree after each",
  { timeout: 36_000_000 },
  async () => {
    const { numRuns, maxCommands, audited } = long({
      share: { numRuns: 12, maxCommands: 40, audited: 4 },
      whole: { numRuns: 1000, maxCommands: 60, audited: 50 },
    });
    const { replayPath, ...seed } = replayed();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.commands([...commands, ...moveCommands], { maxCommands, size: "max", ...(replayPath !== undefined && { replayPath }) }),
        fc.record({ merchantBears: fc.boolean(), approveOnMatch: fc.boolean() }),
        async (sequence, house) => {
          const real = await openOffice(db, house);
          await fc.asyncModelRun(
            () => ({ model: { ...house, items: [], lines: [], moves: [], safe: { hold: 0, suspended: false } }, real }),
            sequence,
          );
          expect(++run % audited === 0 ? await broken() : []).toEqual([]);
        },
      ),
      { numRuns, ...seed },
    );
    expect(await broken()).toEqual([]);
  },
);
