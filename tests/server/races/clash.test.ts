import { afterAll, beforeAll, expect, test } from "vitest";
import type { RowRef } from "../../../src/contract/wire.ts";
import type { ActOutcome, Operator } from "../../support/crew.ts";
import { makeCrew } from "../../support/crew.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { serve } from "../../support/http.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";

const operators = long({ share: 32, whole: 64 });
const items = long({ share: 2_000, whole: 25_000 });
/** Who does what to each withdrawal, all at once: each by another operator. */
const clash = ["approve", "reject", "approve", "reject", "defer", "approve", "take-over", "reject"] as const;

const db = testDatabase({ pool: 24, patient: true });
let served: Served;
let office: Office;
let crew: Operator[];
const withdrawals: RowRef[] = [];

beforeAll(async () => {
  served = await serve(db);
  office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  const merchants = await Promise.all(Array.from({ length: 20 }, () => makeMerchant(db, office.tenant, { wallet: "10000000" })));
  for (let n = 0; n < 8; n++) await makeAccount(db, office.tenant, { balance: "100000000" });
  let made = 0;
  const make = async () => {
    while (made < items) {
      const n = made++;
      const merchant = merchants[n % merchants.length];
      if (!merchant) throw new Error("there are merchants");
      const { id, version } = await office.withdraw(merchant, {
        amount: `${100 + (n % 50)}.00`,
        member: `M${n}`,
        account_number: `${10_000_000 + n}`,
      });
      withdrawals.push({ uuid: id, version });
    }
  };
  await Promise.all(Array.from({ length: 16 }, make));
  crew = await makeCrew(db, served, office, operators);
}, 600_000);
afterAll(() => served.app.close());

interface Loss extends ActOutcome {
  readonly uuid: string;
  readonly who: string;
}

test(`${operators} operators, ${items} withdrawals, ${clash.length} clashing acts on each: one decision each, every loser learns who won`, async () => {
  const losses: Loss[] = [];
  const wins: { uuid: string; who: string; status: string }[] = [];

  /** An operator who wants to decide: refetches when the row has changed, until somebody has decided it. */
  async function decide(hand: Operator, start: RowRef, act: "approve" | "reject"): Promise<void> {
    let row = start;
    for (let tries = 0; tries < 50; tries++) {
      let outcome: ActOutcome | undefined;
      if (act === "approve") {
        const claim = await hand.act("claim", row);
        if (claim.row) row = claim.row;
        else outcome = claim;
      }
      outcome ??= await hand.act(act, row);
      if (outcome.row) {
        wins.push({ uuid: start.uuid, who: hand.name, status: outcome.row.status });
        return;
      }
      losses.push({ ...outcome, uuid: start.uuid, who: hand.name });
      if (["transaction.already-decided", "withdrawal.not-open"].includes(outcome.code)) return;
      if (outcome.data?.row) row = outcome.data.row;
    }
    throw new Error(`${start.uuid} was never decided`);
  }

  async function disturb(hand: Operator, start: RowRef, act: "defer" | "take-over"): Promise<void> {
    const outcome = await hand.act(act, start);
    if (!outcome.done) losses.push({ ...outcome, uuid: start.uuid, who: hand.name });
    // a withdrawal taken over is released at once
    else if (act === "take-over" && outcome.row) await hand.act("release", outcome.row);
  }

  // all walk the queue in one order, so that the acts on a withdrawal fall together
  await Promise.all(
    crew.map(async (hand, at) => {
      for (const [n, row] of withdrawals.entries()) {
        const act = clash.find((_, k) => (n + k * (operators / clash.length)) % operators === at);
        if (act === undefined) continue;
        // oxlint-disable-next-line no-await-in-loop -- one pair of hands
        await (act === "approve" || act === "reject" ? decide(hand, row, act) : disturb(hand, row, act));
      }
    }),
  );

  expect(wins.length).toBe(items);
  expect(new Set(wins.map(({ uuid }) => uuid)).size).toBe(items);
  expect(losses.filter(({ status }) => status >= 500)).toEqual([]);
  expect([...new Set(losses.map(({ status }) => status))]).toEqual([409]);
  expect(losses.filter(({ data }) => !data?.by)).toEqual([]);

  // the reported winner has won
  const { rows } = await db.owner.query<{ id: string; name: string; status: string; decisions: number }>(
    `select t.id, u.name, t.status, (select count(*)::integer from transaction_events e where e.tenant_id = t.tenant_id and e.transaction_id = t.id
        and e.act in ('approve', 'reject')) as decisions
      from transactions t join users u on u.id = coalesce(t.approved_by, t.rejected_by) where t.tenant_id = $1`,
    [office.tenant.id],
  );
  expect(rows.length).toBe(items);
  expect(rows.filter(({ decisions }) => decisions !== 1)).toEqual([]);
  const winner = new Map(rows.map(({ id, name }) => [id, name]));
  expect(wins.filter(({ uuid, who }) => winner.get(uuid) !== who)).toEqual([]);
  const decided = losses.filter(({ code }) => code === "transaction.already-decided");
  expect(decided.length).toBeGreaterThan(items);
  expect(decided.filter(({ uuid, data }) => data?.by !== winner.get(uuid))).toEqual([]);
}, 1_800_000);
