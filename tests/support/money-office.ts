import { expect } from "vitest";
import type { Item, Line, Model } from "./money-model.ts";
import { charge, claimLimit, houseRate, moneyOf, moneyText, opening } from "./money-model.ts";
import type { Place, Till, Who } from "./money-moved.ts";
import type { TestDatabase } from "./database.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup } from "./factories.ts";
import type { Account, Merchant } from "./factories.ts";
import { makeOffice } from "./payments.ts";
import type { Office } from "./payments.ts";

/** The product beside the model: two people, a merchant, an account that takes and pays, one that only pays, and one for transfers. */
export interface Real {
  readonly office: Office;
  readonly merchant: Merchant;
  readonly accounts: Readonly<Record<Till, Account>>;
}

export async function openOffice(db: TestDatabase, { merchantBears, approveOnMatch }: Pick<Model, "merchantBears" | "approveOnMatch">) {
  const settings = {
    tiers: { MYR: { confirm_from: "1000.00", second_from: "5000.00" } },
    recall_seconds: 60,
    claim_limit: claimLimit,
    approve_on_match: approveOnMatch,
  };
  const office = await makeOffice(db, { settings });
  const merchant = await makeMerchant(db, office.tenant, {
    wallet: String(opening.wallet),
    deposit_rate: "1.5",
    withdrawal_rate: "1",
    settlement_rate: "1",
    charges_borne_by: merchantBears ? "merchant" : "house",
  });
  const charged = (place: Place) => ({ balance: String(opening[place]), charges_type: "fixed", charges_value: String(charge[place]) });
  const rates = await makeRateGroup(db, office.tenant, { account_window_minutes: 60, account_max_count: houseRate });
  const accounts = {
    house: await makeAccount(db, office.tenant, { ...charged("house"), rate_limit_group_id: rates }),
    payer: await makeAccount(db, office.tenant, { ...charged("payer"), purpose: "withdrawal" }),
  };
  await makeGroup(db, office.tenant, Object.values(accounts), [merchant]);
  const safe = await makeAccount(db, office.tenant, { balance: String(opening.safe), code: "SAFE" });
  return { office, merchant, accounts: { ...accounts, safe } };
}

interface Found extends Pick<Item, "uuid" | "version" | "status" | "amount" | "asked" | "receipts" | "proof"> {
  readonly claimed_by: string | null;
  readonly first_approved_by: string | null;
  readonly account: string | null;
  readonly line: string | null;
}

/** The whole state: each transaction and line, the money of the wallet, its hold and the accounts, and what counts against limits. */
export async function compare(model: Model, real: Real): Promise<void> {
  const { office, merchant, accounts } = real;
  const { owner } = office.db;
  const who = (id: string | null): Who | null => (id === null ? null : id === office.ann.id ? "ann" : "ben");
  const place = (id: string | null): Place | null => (id === null ? null : id === accounts.house.id ? "house" : "payer");
  const { rows } = await owner.query<Found>(
    `select t.id as uuid, t.version, t.status, t.amount::float8 as amount, t.asked_amount::float8 as asked, t.claimed_by, t.first_approved_by,
        t.payment_account_id as account, m.line_id as line, m.amount::float8 as proof,
        (select count(*)::integer from receipts r where r.tenant_id = t.tenant_id and r.transaction_id = t.id and r.removed_at is null) as receipts
      from transactions t left join bank_matches m on m.tenant_id = t.tenant_id and m.transaction_id = t.id and m.undone_at is null
      where t.tenant_id = $1`,
    [office.tenant.id],
  );
  const found = new Map(
    rows.map(({ claimed_by, first_approved_by, account, line, ...one }) => [
      one.uuid,
      {
        ...one,
        claim: who(claimed_by),
        first: who(first_approved_by),
        account: place(account),
        line: line === null ? null : model.lines.findIndex(({ uuid }) => uuid === line),
      },
    ]),
  );
  expect(found.size).toBe(model.items.length);
  for (const { kind: _, manual: __, chosen: ___, ...item } of model.items) {
    const is = found.get(item.uuid);
    // who approved first is nobody's matter once it is rejected
    const first = item.status === "rejected" ? (is?.first ?? null) : item.first;
    expect(is).toEqual({ ...item, first });
  }
  const lines = await owner.query<Pick<Line, "uuid" | "version" | "status">>(
    "select id as uuid, version, status from bank_lines where tenant_id = $1 order by created_at, id",
    [office.tenant.id],
  );
  expect(new Map(lines.rows.map((line) => [line.uuid, line]))).toEqual(
    new Map(model.lines.map(({ uuid, version, status }) => [uuid, { uuid, version, status }])),
  );
  const use = await owner.query<{ kind: Item["kind"]; used: number }>(
    "select kind, sum(used)::float8 as used from limit_usage where tenant_id = $1 and period = 'month' group by kind",
    [office.tenant.id],
  );
  const { used, ...money } = moneyOf(model);
  expect({ deposit: 0, withdrawal: 0, ...Object.fromEntries(use.rows.map((row) => [row.kind, row.used])) }).toEqual(used);
  const owners: Readonly<Record<string, string>> = {
    [merchant.id]: "",
    [accounts.house.id]: "house",
    [accounts.payer.id]: "payer",
    [accounts.safe.id]: "safe",
  };
  const balances = await owner.query<{ kind: string; owner_id: string; balance: number }>(
    "select kind, owner_id, balance::float8 as balance from ledger_accounts where tenant_id = $1 and kind in ('wallet', 'hold', 'payment-account')",
    [office.tenant.id],
  );
  const held = balances.rows.map(({ kind, owner_id, balance }) => [owners[owner_id] || kind, moneyText(balance)] as const);
  const wanted = Object.entries(money).map(([of, amount]) => [of, moneyText(amount)] as const);
  expect({ hold: "0.00", ...Object.fromEntries(held) }).toEqual(Object.fromEntries(wanted));
  await compareMoves(model, real);
}

/** Each move, as the tables have it. */
async function compareMoves({ moves }: Model, { office }: Real): Promise<void> {
  const { rows: found } = await office.db.owner.query<{ uuid: string; first: string | null }>(
    "select id as uuid, version, status, first_approved_by as first from transfers where tenant_id = $1",
    [office.tenant.id],
  );
  const byUuid = new Map(
    found.map((row) => [row.uuid, { ...row, first: row.first === null ? null : row.first === office.ann.id ? "ann" : "ben" }]),
  );
  expect(byUuid).toEqual(new Map(moves.map(({ uuid, version, status, first }) => [uuid, { uuid, version, status, first }])));
}
