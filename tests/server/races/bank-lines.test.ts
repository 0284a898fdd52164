import { beforeAll, expect, test } from "vitest";
import { judgeArrived } from "../../../src/server/bank-lines/auto-match.ts";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { aLine, bookLine, lineOf } from "../../support/bank-lines.ts";
import { expectInvariants, testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const count = long({ share: 64, whole: 500 });
const acts = long({ share: 16, whole: 64 });

const db = testDatabase({ pool: 24, patient: true });
let office: Office;
interface Pair {
  readonly line: string;
  readonly deposit: string;
  /** Another pair's line: of the same amount in half of the pairs, so that it may take the deposit. */
  rival: string;
  /** A line that is the sum of this deposit and another. */
  sum?: { readonly line: string; readonly deposits: readonly [string, string] };
}
const pairs: Pair[] = [];

beforeAll(async () => {
  office = await makeOffice(db, { settings: { auto_match: true, recall_seconds: 0 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  const account = await makeAccount(db, office.tenant);
  await makeGroup(db, office.tenant, [account], [merchant]);
  for (let n = 0; n < count; n += 4) {
    const four: Pair[] = [];
    for (const at of [0, 1, 2, 3]) {
      // the first two share an amount
      const row = await office.deposit(merchant, { amount: `${100 + n + Math.max(at, 1)}.10`, member: `M${n + at}` });
      four.push({ line: (await bookLine(office, account.id, lineOf(row))).id, deposit: row.id, rival: "" });
    }
    const [first, second, third, fourth] = four as [Pair, Pair, Pair, Pair]; // four were pushed
    for (const [one, other] of [
      [first, second],
      [third, fourth],
    ] as const)
      [one.rival, other.rival] = [other.line, one.line];
    const sum = await bookLine(office, account.id, aLine({ amount: `${200 + 2 * n + 3}.20`, description: "both" }));
    for (const one of [first, third]) one.sum = { line: sum.id, deposits: [first.deposit, third.deposit] };
    pairs.push(...four);
  }
  await db.owner.query("analyze transactions, bank_lines, bank_matches");
}, 600_000);

const versionOf = async (table: "bank_lines" | "transactions", id: string): Promise<number> => {
  const { rows } = await db.owner.query<{ version: number }>(`select version from ${table} where id = $1`, [id]);
  return rows[0]?.version ?? 0;
};
const refOf = async (table: "bank_lines" | "transactions", uuid: string) => ({ uuid, version: await versionOf(table, uuid) });

const match = async (by: Person, line: string, ...deposits: readonly string[]) => {
  const transactions = await Promise.all(deposits.map((deposit) => refOf("transactions", deposit)));
  return only(await act.matchBankLines(office.call(by), body({ rows: [{ ...(await refOf("bank_lines", line)), transactions }] })));
};
const unmatch = async (by: Person, line: string) =>
  only(await act.unmatchBankLines(office.call(by), body({ rows: [await refOf("bank_lines", line)], reason: "wrong" })));
const claim = async (by: Person, deposit: string) =>
  only(await depositHandlers.claimDeposits(office.call(by), body({ rows: [await refOf("transactions", deposit)] })));
const approve = async (by: Person, deposit: string) =>
  only(await depositHandlers.approveDeposits(office.call(by), body({ rows: [await refOf("transactions", deposit)] })));

type Act = "match" | "rival" | "set" | "unmatch" | "claim" | "approve";
type Outcome = { done: true } | { done: false; problem: { code: string } };
const made = new Map<Act, number>();
const refused = new Map<string, number>();
const note = async (kind: Act, outcome: Promise<Outcome>) => {
  const of = await outcome;
  if (of.done) made.set(kind, (made.get(kind) ?? 0) + 1);
  else refused.set(of.problem.code, (refused.get(of.problem.code) ?? 0) + 1);
};

/** Eight acts of two operators at once on one pair, its rival's line and the line of a sum. */
async function clash({ line, deposit, rival, sum }: Pair, round: number): Promise<void> {
  const { ann, ben } = office;
  await Promise.all([
    note("match", match(ann, line, deposit)),
    round % 2 === 0 ? note("match", match(ben, line, deposit)) : note("rival", match(ben, rival, deposit)),
    sum && round % 2 === 0 ? note("set", match(ann, sum.line, ...sum.deposits)) : note("rival", match(ann, rival, deposit)),
    note("unmatch", unmatch(ann, line)),
    note("unmatch", unmatch(ben, sum && round % 2 === 1 ? sum.line : rival)),
    note("claim", claim(ben, deposit)),
    note("approve", approve(ann, deposit)),
    note("approve", approve(ben, deposit)),
  ]);
}

/** The deposits in process; those claimed first, because a person has only so many claims. */
async function inProcess(): Promise<string[]> {
  const { rows } = await db.owner.query<{ id: string }>(
    "select id from transactions where tenant_id = $1 and status = 'process' order by claimed_by is null, id",
    [office.tenant.id],
  );
  return rows.map(({ id }) => id);
}

/** What stands: one line and one set a transaction, and each decided once. */
async function standing() {
  const { rows: matches } = await db.owner.query<{ line: string; deposit: string }>(
    "select line_id as line, transaction_id as deposit from bank_matches where tenant_id = $1 and undone_at is null",
    [office.tenant.id],
  );
  expect(new Set(matches.map(({ deposit }) => deposit)).size, "a deposit has one line").toBe(matches.length);
  const { rows: approvals } = await db.owner.query<{ n: number }>(
    "select count(*)::integer as n from ledger_groups where tenant_id = $1 and kind = 'deposit' group by transaction_id",
    [office.tenant.id],
  );
  expect(
    approvals.filter(({ n }) => n !== 1),
    "approved twice",
  ).toEqual([]);
  return { matches, approvals: approvals.length };
}

test(`two operators and the matcher on ${count} pairs, ${acts} clashing acts on each: one match each, nothing approved twice`, async () => {
  let running = true;
  const judging = (async () => {
    while (running) await judgeArrived(office.deps, office.tenant.id, 20);
  })();
  const queue = [...pairs];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) for (let round = 0; round < acts / 8; round++) await clash(next, round);
  };
  await Promise.all([work(), work(), work()]);
  running = false;
  await judging;
  await standing();
  // each kind of act was really done, not only refused
  for (const kind of ["match", "rival", "set", "unmatch", "claim", "approve"] as const)
    expect(made.get(kind), `${kind}, refused: ${JSON.stringify([...refused])}`).toBeGreaterThan(0);
  const { rows: automatic } = await db.owner.query("select from bank_matches where tenant_id = $1 and automatic limit 1", [
    office.tenant.id,
  ]);
  expect(automatic, "matched automatically").toHaveLength(1);
  expect([...refused.keys()].filter((code) => ["request.busy", "server.failed"].includes(code))).toEqual([]);

  // afterwards nothing is stuck: whatever was left is put right, each by one act
  const wrong = (await standing()).matches.filter(
    ({ line, deposit }) => !pairs.some((pair) => pair.line === line && pair.deposit === deposit),
  );
  for (const line of new Set(wrong.map((one) => one.line))) expect(await unmatch(office.ann, line)).toMatchObject({ done: true });
  const right = new Set((await standing()).matches.map(({ line }) => line));
  for (const { line, deposit } of pairs.filter((pair) => !right.has(pair.line)))
    expect(await match(office.ann, line, deposit)).toMatchObject({ done: true });
  for (const id of await inProcess()) {
    await claim(office.ben, id); // it may be his already
    expect(await approve(office.ben, id)).toMatchObject({ done: true });
  }
  const { matches, approvals } = await standing();
  expect(matches.map(({ line, deposit }) => `${line} ${deposit}`).toSorted()).toEqual(
    pairs.map(({ line, deposit }) => `${line} ${deposit}`).toSorted(),
  );
  expect(approvals).toBe(count);
  await expectInvariants(db);
}, 36_000_000);
