import { expect, test } from "vitest";
import { notificationRoutes } from "../../../src/contract/notifications.ts";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { counts, countsOfTenant, notificationHandlers } from "../../../src/server/payments/notifications.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

const read = async (office: Office, permissions?: string[]) => {
  const { data } = await notificationHandlers.readNotificationDetails(office.call(office.ann, permissions && { permissions }), {
    params: undefined,
    query: undefined,
    body: undefined,
  });
  return notificationRoutes.readNotificationDetails.answer.parse(data);
};

async function scene() {
  // an approval is taken back while its window lasts
  const office = await makeOffice(db, { currencies: ["USD"], settings: { recall_seconds: 60 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const account = await makeAccount(db, office.tenant, { balance: "1000", threshold: "600" });
  await makeGroup(db, office.tenant, [account], [merchant]);
  return { office, merchant, account };
}

test("the counters are what waits: deposits in process, withdrawals pending, accounts critical; each of its currency", async () => {
  const { office, merchant } = await scene();
  for (let n = 0; n < 3; n++) await office.withdraw(merchant, { account_number: `6${n}0000` });
  const paid = await office.deposit(merchant, { amount: "10.00" });
  await office.deposit(merchant, { amount: "10.00" });
  await depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid: paid.id, version: 1 }] }));
  const row = await office.claimed(merchant, { account_number: "70000" });
  await act.approveWithdrawals(
    office.call(),
    body({ rows: [{ uuid: row.uuid, version: row.version, confirmed: { amount: row.amount, holder: row.holder } }] }),
  );
  const expected = { currency: "MYR", processDepositCount: 1, pendingWithdrawalCount: 3, criticalAccountCount: 1 };
  expect(await counts(db.database, office.tenant.id, "MYR")).toEqual(expected);
  expect(await countsOfTenant(db.database, office.tenant.id)).toEqual([
    expected,
    { currency: "USD", processDepositCount: 0, pendingWithdrawalCount: 0, criticalAccountCount: 0 },
  ]);
  expect(office.announced).toContainEqual({ tenant: office.tenant.id, event: "paymentAccount", uuids: [expect.any(String)] });
});

test("each part is there for those who hold its right", async () => {
  const { office, merchant } = await scene();
  await office.withdraw(merchant);
  const none = await read(office, ["pas.account.accounts.view"]);
  expect(none).toMatchObject({ pendingWithdrawalCount: 0, accounts: { points: expect.any(Array) } });
  for (const part of ["withdrawals", "deposits", "claims", "operators", "today"]) expect(none).not.toHaveProperty(part);
  const withdrawals = await read(office, ["pas.transaction.withdrawals.view"]);
  expect(withdrawals).toMatchObject({ pendingWithdrawalCount: 1, claims: { open: 0, limit: 10 }, today: { decided: 0 } });
  expect(withdrawals).not.toHaveProperty("deposits");
});

test("a counter's trend is what waited at the end of each of fifteen minutes", async () => {
  const { office, merchant } = await scene();
  const rows = [];
  for (let n = 0; n < 4; n++) rows.push(await office.withdraw(merchant, { account_number: `6${n}0000` }));
  // created 20, 10, 5 and 0 minutes ago; the one of 10 minutes ago is claimed now. Events are immutable to all but a superuser who says so
  for (const [n, minutes] of [20, 10, 5].entries()) {
    await db.owner.query("update transactions set created_at = created_at - make_interval(mins => $2) where id = $1", [
      rows[n]?.id,
      minutes,
    ]);
    const client = await db.owner.connect();
    await client.query("set session_replication_role = replica");
    await client.query("update transaction_events set at = at - make_interval(mins => $2) where transaction_id = $1", [
      rows[n]?.id,
      minutes,
    ]);
    await client.query("set session_replication_role = default");
    client.release();
  }
  const [oldest, claimed] = rows;
  await act.claimWithdrawals(office.call(), body({ rows: [{ uuid: claimed?.id ?? "", version: 1 }] }));
  const { withdrawals, operators, claims } = await read(office);
  expect(withdrawals?.points).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
  expect(withdrawals?.change).toBe(2);
  expect(withdrawals?.oldest_at).toBe(new Date(Number(oldest?.created_at) - 20 * 60_000).toISOString());
  expect(operators).toEqual([{ name: "Ann Lim", doing: claimed?.txn_no, decided: 0 }]);
  expect(claims).toEqual({ open: 1, limit: 10 });
});

test("today counts decisions, recalls and reasons of withdrawals", async () => {
  const { office, merchant } = await scene();
  const rows: Withdrawal[] = [];
  for (let n = 0; n < 4; n++) rows.push(await office.claimed(merchant, { account_number: `6${n}0000`, amount: `${n + 1}.00` }));
  const ref = (n: number) => ({ uuid: rows[n]?.uuid ?? "", version: rows[n]?.version ?? 0 });
  const { data } = await act.approveWithdrawals(office.call(), body({ rows: [ref(0), ref(1)] }));
  const [first] = data.outcomes;
  if (!first?.done) throw new Error(first?.problem.code);
  await act.recallWithdrawals(office.call(), body({ rows: [{ uuid: first.row.uuid, version: first.row.version }] }));
  // of a deposit it is no recall of a withdrawal
  const { uuid, version } = await office.taken(merchant, {}, office.ben);
  const approved = done(only(await depositHandlers.approveDeposits(office.call(office.ben), body({ rows: [{ uuid, version }] }))));
  done(
    only(
      await depositHandlers.recallDeposits(office.call(office.ben), body({ rows: [{ uuid: approved.uuid, version: approved.version }] })),
    ),
  );
  await act.rejectWithdrawals(office.call(office.ann), body({ rows: [ref(2)], reason: { code: "duplicate" } }));
  await act.rejectWithdrawals(office.call(office.ann), body({ rows: [ref(3)], reason: { code: "other", text: "Card lost" } }));
  const { today, operators } = await read(office);
  expect(today).toMatchObject({ decided: 3, recalled: 1, rejected: 2, median_seconds: expect.any(Number) });
  expect(today?.reasons.toSorted((a, b) => a.code.localeCompare(b.code))).toEqual([
    { code: "duplicate", count: 1 },
    { code: "other", count: 1 },
  ]);
  expect(operators).toEqual([
    { name: "Ann Lim", doing: first.row.txn_no, decided: 4 },
    { name: "Ben Ooi", doing: approved.txn_no, decided: 1 },
  ]);
});

test("only one's own tenant's channel is signed", async () => {
  const { office } = await scene();
  const sign = (channel_name: string) =>
    notificationHandlers.authorizeChannel(office.call(), body({ socket_id: `${Math.floor(Math.random() * 1e6)}.1`, channel_name }));
  expect((await sign(`private-channel.${office.tenant.id}`)).data.auth).toMatch(/^key:/);
  const other = await makeOffice(db);
  await expect(sign(`private-channel.${other.tenant.id}`)).rejects.toMatchObject({ code: "realtime.refused" });
});
