import { describe, expect, test } from "vitest";
import { rules } from "../../../commands/withdrawals/decision.ts";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { awayMs, ClaimKeeper } from "../../../src/console/transactions/claim-keeper.ts";
import { aContext } from "../kit/fakes.ts";
import { aWithdrawal, dewi, me } from "../withdrawals/rows.ts";

const until = "2026-11-21T06:10:00.000Z";
const theirs = (row: Withdrawal): Withdrawal => ({
  ...row,
  version: row.version + 1,
  claim: { user: dewi.uuid, name: dewi.name, since: until, until },
});

/** A list that holds these rows, a server that holds those, and a clock. */
function desk(rows: Withdrawal[], onServer: Withdrawal[] = rows) {
  const clock = { now: 0 };
  const shown = new Map(rows.map((row) => [row.uuid, row]));
  const renewed: (readonly string[])[] = [];
  const letGo: number[] = [];
  const taken: string[] = [];
  const server = { rows: onServer };
  const keeper = new ClaimKeeper<Withdrawal>({
    me,
    now: () => clock.now,
    rows: () => [...shown.values()],
    async renew(uuids) {
      renewed.push(uuids);
      const mine = server.rows.filter(({ claim }) => claim?.user === me).map(({ uuid }) => uuid);
      const held = uuids.filter((uuid) => mine.includes(uuid));
      return { held: held.map((uuid) => ({ uuid, until })), lost: uuids.filter((uuid) => !mine.includes(uuid)) };
    },
    read: async (uuids) => server.rows.filter(({ uuid }) => uuids.includes(uuid)),
    patch: (row) => void (shown.has(row.uuid) && shown.set(row.uuid, row)),
    letGo: (count) => void letGo.push(count),
    taken: (row) => void taken.push(`${row.txn_no} by ${row.claim?.name}`),
  });
  /** So long nobody touches anything; a renewal falls due every half a minute. */
  const pass = async (ms: number) => {
    for (const end = clock.now + ms; clock.now < end;) {
      clock.now += 30_000;
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await keeper.round();
    }
  };
  return { keeper, clock, shown, renewed, letGo, taken, server, pass };
}

describe("claims are renewed", () => {
  test("while there was a key, click or scroll in three minutes, and no longer: an open page alone keeps none", async () => {
    const at = desk([aWithdrawal()]);
    await at.pass(awayMs);
    expect(at.renewed).toHaveLength(6);
    // live rows of others come in all the while
    await at.keeper.heard([dewi.uuid]);
    await at.pass(60 * 60_000);
    expect(at.renewed).toHaveLength(6);
    expect(at.letGo).toEqual([1]);
  });

  test("at once when the operator is back before they have lapsed", async () => {
    const at = desk([aWithdrawal()]);
    await at.pass(awayMs + 30_000);
    expect(at.letGo).toEqual([1]);
    at.keeper.touched();
    expect(at.renewed).toHaveLength(7);
    await at.pass(30_000);
    expect(at.renewed).toHaveLength(8);
  });

  test("though another view is shown, which has none of them", async () => {
    const at = desk([aWithdrawal()]);
    await at.pass(30_000);
    at.shown.clear();
    await at.pass(30_000);
    expect(at.renewed.at(-1)).toEqual([aWithdrawal().uuid]);
  });

  test("all of them, by several requests where one cannot name them all", async () => {
    const uuids = Array.from({ length: 25 }, (_, n) => `33333333-3333-4333-8333-${String(n).padStart(12, "0")}`);
    const at = desk(uuids.map((uuid) => aWithdrawal({ uuid })));
    await at.pass(30_000);
    expect(at.renewed.map(({ length }) => length)).toEqual([20, 5]);
    expect(at.renewed.flat()).toEqual(uuids);
    expect([...at.shown.values()].map(({ claim }) => claim?.until)).toEqual(uuids.map(() => until));
  });

  test("of one's own only, and nothing is said where there are none", async () => {
    const at = desk([theirs(aWithdrawal())]);
    await at.pass(60 * 60_000);
    expect([at.renewed, at.letGo]).toEqual([[], []]);
  });
});

describe("whoever is taken over from", () => {
  const gone = () => {
    const at = desk([aWithdrawal()]);
    at.server.rows = [theirs(aWithdrawal())];
    return at;
  };
  const told = [`${aWithdrawal().txn_no} by Dewi`];

  test("is told by the event, once, and the keys are dead on that row", async () => {
    const at = gone();
    await at.keeper.heard([aWithdrawal().uuid]);
    await at.keeper.heard([aWithdrawal().uuid]);
    await at.pass(30_000);
    expect(at.taken).toEqual(told);
    const [row] = at.shown.values();
    expect(row && rules.approval(row, aContext({ user: me }))).toEqual({ key: "withdrawal.refuse.claimed", words: { name: "Dewi" } });
  });

  test("is told by the renewal's answer where no event came", async () => {
    const at = gone();
    await at.pass(30_000);
    expect(at.taken).toEqual(told);
  });

  test("is told after a gap of the line, though the list no longer shows the row", async () => {
    const at = gone();
    await at.keeper.heard([]); // looks what is held
    at.shown.clear();
    await at.keeper.heard(null);
    expect(at.taken).toEqual(told);
  });

  test("is not told of what they gave back or decided themselves", async () => {
    const row = aWithdrawal();
    const at = desk([row]);
    at.server.rows = [aWithdrawal({ status: "pending", claim: null, version: 4 })];
    await at.keeper.heard([row.uuid]);
    at.server.rows = [aWithdrawal({ status: "approved", claim: null, version: 5 })];
    await at.keeper.heard([row.uuid]);
    expect(at.taken).toEqual([]);
  });
});
