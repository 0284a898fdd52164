import { beforeAll, expect, test } from "vitest";
import { judgeArrived } from "../../../src/server/bank-lines/auto-match.ts";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { bookLine, lineOf } from "../../support/bank-lines.ts";
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
const pairs: { readonly line: string; readonly deposit: string }[] = [];

beforeAll(async () => {
  office = await makeOffice(db, { settings: { auto_match: true, recall_seconds: 0 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  const account = await makeAccount(db, office.tenant);
  await makeGroup(db, office.tenant, [account], [merchant]);
  for (let n = 0; n < count; n++) {
    const row = await office.deposit(merchant, { amount: `${100 + n}.${10 + (n % 80)}`, member: `M${n}` });
    pairs.push({ line: (await bookLine(office, account.id, lineOf(row))).id, deposit: row.id });
  }
}, 600_000);

const versionOf = async (table: "bank_lines" | "transactions", id: string): Promise<number> => {
  const { rows } = await db.owner.query<{ version: number }>(`select version from ${table} where id = $1`, [id]);
  return rows[0]?.version ?? 0;
};

const match = async (by: Person, line: string, deposit: string) => {
  const [version, other] = [await versionOf("bank_lines", line), await versionOf("transactions", deposit)];
  const rows = [{ uuid: line, version, transactions: [{ uuid: deposit, version: other }] }];
  return only(await act.matchBankLines(office.call(by), body({ rows })));
};
const unmatch = async (by: Person, line: string) =>
  only(
    await act.unmatchBankLines(
      office.call(by),
      body({ rows: [{ uuid: line, version: await versionOf("bank_lines", line) }], reason: "wrong" }),
    ),
  );
const claim = async (by: Person, deposit: string) =>
  only(
    await depositHandlers.claimDeposits(
      office.call(by),
      body({ rows: [{ uuid: deposit, version: await versionOf("transactions", deposit) }] }),
    ),
  );
const approve = async (by: Person, deposit: string) =>
  only(
    await depositHandlers.approveDeposits(
      office.call(by),
      body({ rows: [{ uuid: deposit, version: await versionOf("transactions", deposit) }] }),
    ),
  );

test(`two operators and the matcher on ${count} pairs, ${acts} clashing acts on each: one match each, nothing approved twice`, async () => {
  let running = true;
  const judging = (async () => {
    while (running) await judgeArrived(office.deps, office.tenant.id, 20);
  })();
  const codes = new Map<string, number>();
  const note = (outcome: { done: true } | { done: false; problem: { code: string } }) => {
    const code = outcome.done ? "done" : outcome.problem.code;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  const queue = [...pairs.entries()];
  const clash = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [n, { line, deposit }] = next;
      const rival = pairs[(n + 1) % pairs.length]?.line ?? line;
      for (let round = 0; round < acts; round += 8) {
        const outcomes = await Promise.all([
          match(office.ann, line, deposit),
          match(office.ben, line, deposit),
          match(office.ben, rival, deposit),
          unmatch(office.ann, line),
          unmatch(office.ben, line),
          claim(office.ben, deposit),
          approve(office.ann, deposit),
          approve(office.ben, deposit),
        ]);
        for (const outcome of outcomes) note(outcome);
      }
      note(await match(office.ann, line, deposit));
    }
  };
  await Promise.all([clash(), clash(), clash()]);
  running = false;
  await judging;
  const { rows: matches } = await db.owner.query<{ line_id: string; transaction_id: string }>(
    "select line_id, transaction_id from bank_matches where tenant_id = $1 and undone_at is null",
    [office.tenant.id],
  );
  expect(new Set(matches.map(({ line_id }) => line_id)).size).toBe(matches.length);
  expect(new Set(matches.map(({ transaction_id }) => transaction_id)).size).toBe(matches.length);
  expect(matches.length).toBe(count);
  const { rows: approvals } = await db.owner.query<{ n: number }>(
    "select count(*)::integer as n from ledger_groups where tenant_id = $1 and kind = 'deposit' group by transaction_id",
    [office.tenant.id],
  );
  expect(approvals.every(({ n }) => n === 1)).toBe(true);
  expect([...codes.keys()].toSorted()).toEqual(
    [...codes.keys()].filter((code) => !["request.busy", "server.failed"].includes(code)).toSorted(),
  );
  expect(codes.get("done")).toBeGreaterThan(count);
  await expectInvariants(db);
}, 600_000);
