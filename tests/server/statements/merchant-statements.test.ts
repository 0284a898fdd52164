import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { merchantTransactionRoutes as routes } from "../../../src/contract/statements.ts";
import type { StatementLine } from "../../../src/contract/statements.ts";
import type { ListMeta } from "../../../src/contract/wire.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { post } from "../../../src/server/ledger/ledger.ts";
import { merchantTransactionHandlers as act } from "../../../src/server/statements/statements.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import type { Merchant } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Office } from "../../support/payments.ts";
import { body, makeOffice } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let shop: Merchant;
let hall: Merchant;

type Query = z.input<typeof routes.listMerchantStatementLines.query>;
const list = (query: Query = {}, call: StaffCall = office.call()) =>
  act.listMerchantStatementLines(call, {
    query: routes.listMerchantStatementLines.query.parse({ sort: "-created_at", ...query }),
    params: undefined,
    body: undefined,
  });
const read = (uuid: string, call: StaffCall = office.call()) =>
  act.readMerchantStatementLine(call, { params: { uuid }, query: undefined, body: undefined });
const linesOf = ({ data }: { data: readonly StatementLine[] }) =>
  data.map(({ merchant_code, kind, amount_out, amount_in, fee, previous_balance, balance }) =>
    [merchant_code, kind, amount_out ?? amount_in, fee, previous_balance, balance].join(" "),
  );

/** One deposit credited, one withdrawal paid and one refused, of SHOP; one withdrawal held, of HALL. */
beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"], settings: { recall_seconds: 0 } });
  const rates = { deposit_rate: "1.5", withdrawal_rate: "1" };
  shop = await makeMerchant(db, office.tenant, { code: "SHOP", name: "Harbour Shop", wallet: "1000", ...rates });
  hall = await makeMerchant(db, office.tenant, { code: "HALL", name: "Lotus Hall", wallet: "200", ...rates });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [shop, hall]);
  await office.credited(shop, { amount: "400.00" });
  const paid = await office.claimed(shop, { amount: "100.00" });
  const ref = { uuid: paid.uuid, version: paid.version, confirmed: { amount: paid.amount, holder: paid.holder } };
  await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [ref] }));
  const refused = await office.claimed(shop, { amount: "50.00" });
  const rows = [{ uuid: refused.uuid, version: refused.version }];
  await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows, reason: { code: "duplicate" } }));
  await office.withdraw(hall, { amount: "20.00" });
});

const shopLines = [
  "SHOP withdrawal.release 50.50 -0.50 1242.50 1293.00",
  "SHOP withdrawal.hold 50.50 0.50 1293.00 1242.50",
  "SHOP withdrawal.hold 101.00 1.00 1394.00 1293.00",
  "SHOP deposit 394.00 6.00 1000.00 1394.00",
  "SHOP opening 1000.00  0.00 1000.00",
];

describe("a merchant's statement", () => {
  test("has a line for each movement of its wallet, with the fee in it and the balance it left, the newest first", async () => {
    expect(linesOf(await list({ "filter[merchant_code]": "shop" }))).toEqual(shopLines);
    const { data } = await list({ "filter[merchant_code]": "SHOP", "filter[kind]": "deposit" });
    expect(data[0]).toMatchObject({
      merchant_uuid: shop.id,
      merchant_name: "Harbour Shop",
      transaction: { kind: "deposit" },
      amount_out: null,
      by: "Ann Lim",
    });
    expect(data[0]?.txn_no).toMatch(/\w/);
  });

  test("is read line by line as the list has it", async () => {
    const { data } = await list();
    for (const row of data) expect((await read(row.uuid)).data).toEqual({ row });
  });

  test("pages without losing a line or telling one twice, and each line begins with the balance the one before it left", async () => {
    const paged: StatementLine[] = [];
    for (let cursor: string | undefined; ;) {
      const { data, meta } = await list({ limit: 2, ...(cursor !== undefined && { cursor }) });
      paged.push(...data);
      if (meta.next === null) break;
      cursor = meta.next;
    }
    expect(linesOf({ data: paged })).toEqual([
      "HALL withdrawal.hold 20.20 0.20 200.00 179.80",
      ...shopLines.slice(0, -1),
      "HALL opening 200.00  0.00 200.00",
      ...shopLines.slice(-1),
    ]);
    const own = paged.filter(({ merchant_code }) => merchant_code === "SHOP");
    expect(own.slice(0, -1).map((row) => row.previous_balance)).toEqual(own.slice(1).map((row) => row.balance));
  });

  test("a posting that waited for another stands after it, however long ago its own transaction began", async () => {
    const move = (scoped: Parameters<typeof post>[0], amount: string) =>
      post(scoped, {
        kind: "adjustment",
        currency: "MYR",
        transaction: null,
        by: office.ann.id,
        reason: "Goodwill",
        legs: [
          { kind: "wallet", owner: shop.id, amount: money(amount) },
          { kind: "adjustment", owner: null, amount: money(amount) },
        ],
      });
    await inTenant(db.database, office.tenant.id, async (scoped) => {
      await sql`select now()`.execute(scoped);
      await inTenant(db.database, office.tenant.id, (faster) => move(faster, "1"));
      await move(scoped, "2");
    });
    const [last, before] = (await list()).data;
    expect([last?.amount_in, before?.amount_in, last?.previous_balance]).toEqual(["2.00", "1.00", before?.balance]);
    expect([last?.by, last?.reason, last?.transaction]).toEqual(["Ann Lim", "Goodwill", null]);
  });
});

/** What the ledger itself says of wallets, or of holds, between two times. */
async function ledger(kind: "wallet" | "hold", from: string, to: string, owners: readonly string[]) {
  const { rows } = await db.owner.query<Record<"opening" | "closing" | "money_in" | "money_out", string>>(
    `select coalesce(sum(e.amount) filter (where e.created_at < $2), 0)::text as opening,
        coalesce(sum(e.amount) filter (where e.created_at < $3), 0)::text as closing,
        coalesce(sum(e.amount) filter (where e.created_at >= $2 and e.created_at < $3 and e.amount > 0), 0)::text as money_in,
        coalesce(-sum(e.amount) filter (where e.created_at >= $2 and e.created_at < $3 and e.amount < 0), 0)::text as money_out
      from ledger_entries e join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
      where a.tenant_id = $1 and a.kind = $5 and a.owner_id = any($4)`,
    [office.tenant.id, from, to, owners, kind],
  );
  const [row] = rows;
  if (!row) throw new Error("an aggregate has a row");
  const of = (text: string) => moneyText(money(text));
  return { opening: of(row.opening), closing: of(row.closing), in: of(row.money_in), out: of(row.money_out) };
}

const endOfTime = "2999-01-01T00:00:00.000Z";

/** What a statement says of it. */
function endsOf({ sums: { amount_in, amount_out, previous_balance, balance } = {} }: ListMeta) {
  const of = (text = "") => moneyText(money(text));
  return { opening: of(previous_balance), closing: of(balance), in: of(amount_in), out: of(amount_out) };
}

describe("what is held of the merchants", () => {
  const held = (query: Query = {}) => list({ "filter[hold]": "only", ...query });

  test("has a line for each movement of their holds, also where it left the hold for a customer", async () => {
    const { data, meta } = await held({ with: "count,sums" });
    expect(linesOf({ data })).toEqual([
      "HALL withdrawal.hold 20.20 0.20 0.00 20.20",
      "SHOP withdrawal.release 50.50 -0.50 50.50 0.00",
      "SHOP withdrawal.hold 50.50 0.50 0.00 50.50",
      "SHOP withdrawal 101.00  101.00 0.00",
      "SHOP withdrawal.hold 101.00 1.00 0.00 101.00",
    ]);
    expect(meta).toMatchObject({ count: 5, sums: { amount_in: "171.70", amount_out: "151.50", fee: "1.20", balance: "20.20" } });
    for (const row of data) expect((await read(row.uuid)).data).toEqual({ row });
  });

  test("is paged and narrowed like a wallet's", async () => {
    const all = linesOf(await held());
    const { data, meta } = await held({ limit: 3 });
    expect(linesOf({ data: [...data, ...(await held({ limit: 3, cursor: meta.next ?? "" })).data] })).toEqual(all);
    const [, , , paid] = (await held()).data;
    for (const [query, lines] of [
      [{ "filter[merchant_code]": "shop" }, all.slice(1)],
      [{ "filter[merchant_code]": "!shop" }, all.slice(0, 1)],
      [{ "filter[kind]": "withdrawal" }, [all[3]]],
      [{ "filter[kind]": "settlement" }, []],
      [{ "filter[txn_no]": paid?.txn_no ?? "" }, all.slice(3)],
      [{ "filter[amount_out_from]": "100" }, [all[3]]],
      [{ "filter[source]": "api" }, all],
      [{ "filter[source]": "manual" }, []],
      [{ q: "Lotus" }, all.slice(0, 1)],
    ] as const)
      expect([query, linesOf(await held(query))]).toEqual([query, lines]);
  });
});

describe("its totals", () => {
  test("are those of the ledger in every window, and the opening balance and the movements make the closing one", async () => {
    const times = (await list()).data.map(({ created_at }) => created_at).concat("2000-01-01T00:00:00.000Z", endOfTime);
    for (const from of times) {
      for (const to of times.filter((time) => time > from)) {
        const window = { "filter[created_at_from]": from, "filter[created_at_to]": to };
        const ofHolds = await list({ ...window, "filter[hold]": "only", with: "sums", limit: 1 });
        expect(endsOf(ofHolds.meta)).toEqual(await ledger("hold", from, to, [shop.id, hall.id]));
        for (const [code, owners] of [
          ["SHOP", [shop.id]],
          ["!SHOP", [hall.id]],
          ["SHOP,hall", [shop.id, hall.id]],
          ["", [shop.id, hall.id]],
        ] as const) {
          const { meta } = await list({ ...window, ...(code !== "" && { "filter[merchant_code]": code }), with: "sums", limit: 1 });
          const told = await ledger("wallet", from, to, owners);
          expect(endsOf(meta)).toEqual(told);
          expect(money(told.opening) + money(told.in) - money(told.out)).toBe(money(told.closing));
        }
      }
    }
  });

  test("are of the whole question and not of a page, and its fees are those the merchants bore", async () => {
    const { data, meta } = await list({ with: "count,sums", limit: 1 });
    expect([data.length, meta.count]).toEqual([1, 7]);
    expect(meta.sums).toEqual({
      amount_in: "1644.50",
      amount_out: "171.70",
      fee: "7.20",
      previous_balance: "0.00",
      balance: "1472.80",
      difference: "0.00",
    });
  });

  test("tell no balances where some of the movements are left out: they would not add up", async () => {
    const { meta } = await list({ with: "sums", "filter[kind]": "withdrawal.hold" });
    expect(meta.sums).toEqual({ amount_in: "0.00", amount_out: "171.70", fee: "1.70" });
    expect((await list({ with: "sums", q: "SHOP" })).meta.sums).not.toHaveProperty("balance");
  });
});

test("nothing of another currency or another tenant is listed, summed or read", async () => {
  const [line] = (await list()).data;
  const other = await makeOffice(db);
  for (const call of [office.call(undefined, { currency: "THB" }), other.call()]) {
    const { data, meta } = await list({ with: "count,sums" }, call);
    expect([data, meta.count, Object.values(meta.sums ?? {})]).toEqual([[], 0, Array.from({ length: 6 }, () => "0.00")]);
    await expect(read(line?.uuid ?? "", call)).rejects.toMatchObject({ code: "not-found" });
  }
});
