import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RouteName } from "../../src/contract/index.ts";
import type { SettingValues, TenantSettingDetail } from "../../src/contract/settings.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import { openDatabase } from "../../src/server/db/scope.ts";
import type { Database } from "../../src/server/db/scope.ts";
import { testDatabase } from "../support/database.ts";
import { makeAccount, makeGroup } from "../support/factories.ts";
import { ask, serve, sessionOf } from "../support/http.ts";
import type { Answered, Asked, Served } from "../support/http.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import type { SigningMerchant } from "../support/merchants.ts";
import { makeOffice } from "../support/payments.ts";
import type { Office } from "../support/payments.ts";

/** Two server processes on one database: one changes the settings, the other acts. */
const db = testDatabase();
let other: Database;
let changing: Served;
let acting: Served;

beforeAll(async () => {
  other = openDatabase((role) => db.connectAs(role));
  [changing, acting] = [await serve(db), await serve({ ...db, database: other })];
});
afterAll(async () => {
  await Promise.all([changing.app.close(), acting.app.close()]);
  await other.close();
});

interface Desk {
  readonly office: Office;
  readonly merchant: SigningMerchant;
  set(parts: Partial<SettingValues>): Promise<void>;
  act(name: RouteName, asked: Asked): Promise<Answered>;
  row(): Promise<{ uuid: string; version: number }>;
}

async function desk(): Promise<Desk> {
  const office = await makeOffice(db);
  const merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000000" });
  const account = await makeAccount(db, office.tenant);
  await makeGroup(db, office.tenant, [account], [merchant]);
  await db.owner.query(
    `insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from user_groups where tenant_id = $1 and code = 'owner'`,
    [office.tenant.id, office.ann.id],
  );
  const { access_token: token } = await sessionOf(changing.deps, office.ann.id);
  const scope = { token, tenant: office.tenant.id, currency: office.tenant.currency };
  return {
    office,
    merchant,
    async set(parts) {
      const { row } = (await ask(changing, "readSettings", scope)).data as TenantSettingDetail; // the contract's shape
      expect((await ask(changing, "updateSettings", { ...scope, body: { version: row.version, ...parts } })).status).toBe(200);
    },
    act: (name, asked) => ask(acting, name, { ...scope, ...asked }),
    async row() {
      const { id, version } = await office.withdraw(merchant);
      return { uuid: id, version };
    },
  };
}

type Outcomes = { outcomes: ({ done: true; row: Withdrawal } | { done: false; problem: { code: string } })[] };
/** Of each row the refusal's code, or "done". */
const outcomesOf = ({ data }: Answered): string[] => (data as Outcomes).outcomes.map((one) => (one.done ? "done" : one.problem.code)); // the contract's shape

const minutesOf = ({ data }: Answered): number => {
  const { expires_at, transaction } = data as { expires_at: string; transaction: { created_at: string } }; // likewise
  return (Date.parse(expires_at) - Date.parse(transaction.created_at)) / 60_000;
};

describe("a setting changed in one process is in effect with the next act of the other", () => {
  test("the most claims at a time", async () => {
    const { set, act, row } = await desk();
    await set({ claim_limit: 1 });
    expect(outcomesOf(await act("claimWithdrawals", { body: { rows: [await row(), await row()] } }))).toEqual([
      "done",
      "withdrawal.claim-limit",
    ]);
    await set({ claim_limit: 2 });
    expect(outcomesOf(await act("claimWithdrawals", { body: { rows: [await row()] } }))).toEqual(["done"]);
  });

  test("the tiers", async () => {
    const { set, act, row, office } = await desk();
    const { uuid } = await row();
    const tier = async () => ((await act("readWithdrawal", { params: { uuid } })).data as { row: Withdrawal }).row.tier; // likewise
    await set({ tiers: { [office.tenant.currency]: { confirm_from: "600.00", second_from: "700.00" } } });
    const before = await tier();
    await set({ tiers: { [office.tenant.currency]: { confirm_from: "100.00", second_from: "500.00" } } });
    expect([before, await tier()]).toEqual([1, 3]);
  });

  test("the reasons to reject", async () => {
    const { set, act, row } = await desk();
    const claimed = await row();
    await act("claimWithdrawals", { body: { rows: [claimed] } });
    const reject = async () =>
      act("rejectWithdrawals", {
        body: { rows: [{ ...claimed, version: claimed.version + 1 }], reason: { code: "seen-before", text: undefined } },
      });
    expect(outcomesOf(await reject())).toEqual(["reason.unknown"]);
    await set({ reject_reasons: [{ code: "seen-before", text: "Seen before", told: "declined" }] });
    expect(outcomesOf(await reject())).toEqual(["done"]);
  });

  test("how long an approval can be recalled", async () => {
    const { set, act, row } = await desk();
    const approve = async () => {
      const claimed = await row();
      await act("claimWithdrawals", { body: { rows: [claimed] } });
      const answer = await act("approveWithdrawals", { body: { rows: [{ ...claimed, version: claimed.version + 1 }] } });
      const [one] = (answer.data as Outcomes).outcomes; // likewise
      return one?.done ? one.row.recallable_until : one?.problem.code;
    };
    await set({ recall_seconds: 60 });
    const before = Date.now();
    expect(Date.parse((await approve()) ?? "") - before).toBeGreaterThan(40_000);
    await set({ recall_seconds: 0 });
    expect(await approve()).toBeNull();
  });

  test("when a deposit expires", async () => {
    const { set, act, merchant } = await desk();
    let number = 0;
    const deposit = () =>
      act("createDeposit", {
        token: undefined,
        signedBy: merchant,
        body: {
          merchant_txn_no: `D${++number}`,
          amount: "100.00",
          currency: merchant.currency,
          method: "bank_transfer",
          member: "M1",
          customer_name: "Tan Wei Ming",
        },
      });
    await set({ deposit_expiry_minutes: 7 });
    const seven = minutesOf(await deposit());
    await set({ deposit_expiry_minutes: 90 });
    expect([seven, minutesOf(await deposit())].map(Math.round)).toEqual([7, 90]);
  });

  test("whether callbacks may go to the machine itself, which production never allows", async () => {
    const { set, act, office } = await desk();
    let number = 0;
    const form = () => ({
      name: "Here",
      code: `HERE${++number}`,
      deposit_rate: "1",
      withdrawal_rate: "1",
      settlement_rate: "1",
      charges_borne_by: "merchant",
      website_url: "",
      backoffice_url: "",
      callback_url: "http://127.0.0.1:9/callback",
      whitelist_ips: "",
    });
    const create = () => act("createMerchant", { body: form() });
    expect((await create()).status).toBe(422);
    await set({ loopback_callbacks: true });
    expect((await create()).status).toBe(200);
    // the same row, read by a process that is no development server
    const production = await serve(db, {
      environment: { DEVELOPMENT: "false" },
    });
    try {
      const { access_token: token } = await sessionOf(production.deps, office.ann.id);
      const scope = { token, tenant: office.tenant.id, currency: office.tenant.currency };
      const answer = await ask(production, "createMerchant", { ...scope, body: form() });
      expect([answer.status, Object.keys(answer.data ?? {})]).toEqual([422, ["callback_url"]]);
    } finally {
      await production.app.close();
    }
  });
});
