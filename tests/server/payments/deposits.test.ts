import { expect, test } from "vitest";
import { inTenant } from "../../../src/server/db/scope.ts";
import { depositHandlers as act } from "../../../src/server/payments/deposits.ts";
import { completeAfterCallback, expireDue } from "../../../src/server/payments/lapses.ts";
import type { TransactionRow } from "../../../src/server/payments/transaction-rows.ts";
import { reportDepositPaid } from "../../../src/server/payments/transactions.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only, refusals } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase({ pool: 24 });

async function scene(columns: Record<string, string> = {}) {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { deposit_rate: "1.5" });
  const account = await makeAccount(db, office.tenant, { balance: "0", ...columns });
  await makeGroup(db, office.tenant, [account], [merchant]);
  return { office, merchant, account };
}

type Act = "processDeposits" | "approveDeposits";
const confirmed = { amount: "500.00", payer: "Tan Wei Ming" };
/** Claims what it approves. */
const on = async (what: Act, office: Office, { id: uuid, version }: Pick<TransactionRow, "id" | "version">, person = office.ann) =>
  what === "approveDeposits"
    ? only(await act[what](office.call(person), body({ rows: [{ uuid, version, claim: true, confirmed }] })))
    : only(await act[what](office.call(person), body({ rows: [{ uuid, version }] })));
const again = (outcome: Awaited<ReturnType<typeof on>>) => {
  if (!outcome.done) throw new Error(outcome.problem.code);
  return { id: outcome.row.uuid, version: outcome.row.version };
};
const used = async (account: { id: string }) =>
  (await db.owner.query<{ used: string }>("select distinct used from limit_usage where payment_account_id = $1", [account.id])).rows.map(
    (row) => row.used,
  );

test("an approved deposit of 1,000.00 at 1.5 % credits 985.00 and earns 15.00", async () => {
  const { office, merchant, account } = await scene();
  const row = await office.deposit(merchant, { amount: "1000.00" });
  const processed = await on("processDeposits", office, row);
  const approved = await on("approveDeposits", office, again(processed));
  expect(approved).toMatchObject({
    done: true,
    row: {
      status: "approved",
      merchant_receive: "985.00",
      fee: "15.00",
      final_amount: "1000.00",
      previous_balance: "0.00",
      approved_by: { name: "Ann Lim" },
    },
  });
  expect(await office.balance("wallet", merchant.id)).toBe("985.00");
  expect(await office.balance("payment-account", account.id)).toBe("1000.00");
  expect(await office.balance("fee-income", merchant.id)).toBe("15.00");
  const next = await on(
    "approveDeposits",
    office,
    again(await on("processDeposits", office, await office.deposit(merchant, { amount: "100.00" }))),
  );
  expect(next).toMatchObject({ row: { previous_balance: "985.00" } });
});

test("a deposit approved by two at once moves money once, and the loser learns who won", async () => {
  const { office, merchant } = await scene();
  const row = again(await on("processDeposits", office, await office.deposit(merchant)));
  const outcomes = await Promise.all([
    on("approveDeposits", office, row, office.ann),
    on("approveDeposits", office, row, office.ben),
    on("approveDeposits", office, row, office.ben),
  ]);
  expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
  // the loser came before the decision, or after it
  const lost = expect.stringMatching(/^(deposit.claimed|deposit.not-open|transaction.already-decided)$/);
  expect(refusals(outcomes)).toMatchObject([
    { code: lost, data: { row: { uuid: row.id } } },
    { code: lost, data: { row: { uuid: row.id } } },
  ]);
  expect(await office.balance("wallet", merchant.id)).toBe("492.50");
});

test("only what waits for it can be processed, approved, rejected or reopened", async () => {
  const { office, merchant } = await scene();
  const pending = await office.deposit(merchant);
  expect(await on("approveDeposits", office, pending)).toMatchObject({ problem: { code: "deposit.not-process" } });
  const reopen = async (row: Pick<TransactionRow, "id" | "version">) =>
    only(await act.reopenDeposits(office.call(), body({ rows: [{ uuid: row.id, version: row.version }], reason: "Late money" })));
  expect(await reopen(pending)).toMatchObject({ problem: { code: "deposit.not-expired" } });
  const process = again(await on("processDeposits", office, pending));
  expect(await on("processDeposits", office, process)).toMatchObject({ problem: { code: "deposit.not-pending" } });
  expect(await on("processDeposits", office, pending)).toMatchObject({ problem: { code: "transaction.stale" } });
});

test("a rejected deposit frees the account's limits and the merchant gets a callback", async () => {
  const { office, merchant, account } = await scene({ deposit_daily_limit: "500" });
  const row = await office.deposit(merchant);
  expect(await used(account)).toEqual(["500.0000"]);
  await expect(office.deposit(merchant, { amount: "1.00" })).rejects.toMatchObject({ code: "account.none-found" });
  const rejected = only(
    await act.rejectDeposits(
      office.call(),
      body({ rows: [{ uuid: row.id, version: 1 }], reason: { code: "suspected-fraud", text: "Third today" } }),
    ),
  );
  expect(rejected).toMatchObject({ row: { status: "rejected", reject_reason: "suspected-fraud" } });
  expect(await used(account)).toEqual(["0.0000"]);
  const { rows } = await db.owner.query("select body::jsonb #>> '{data,status}' as status from outbox where transaction_id = $1", [row.id]);
  expect(rows).toEqual([{ status: "rejected" }]);
  await office.deposit(merchant, { amount: "500.00" });
});

test("an expired deposit frees its limits; late money reopens it and counts today, even above the limit it has arrived beyond", async () => {
  const { office, merchant, account } = await scene({ deposit_daily_limit: "500" });
  const row = await office.deposit(merchant);
  await db.owner.query("update transactions set expires_at = now() where id = $1", [row.id]);
  expect((await Promise.all([1, 2, 3].map(() => expireDue(office.deps, office.tenant.id, 10)))).flat()).toEqual([row.id]);
  expect(await used(account)).toEqual(["0.0000"]);
  await office.deposit(merchant, { amount: "100.00" });
  const reopen = async () =>
    only(await act.reopenDeposits(office.call(), body({ rows: [{ uuid: row.id, version: 2 }], reason: "Late money" })));
  const reopened = await reopen();
  expect(reopened).toMatchObject({ done: true, row: { status: "process", expired_at: null } });
  expect(await used(account)).toEqual(["600.0000"]);
  // nothing more is shown this account today
  await expect(office.deposit(merchant, { amount: "1.00" })).rejects.toMatchObject({ code: "account.none-found" });
  expect(await on("approveDeposits", office, again(reopened))).toMatchObject({ row: { status: "approved" } });
});

test("a merchant reports its own pending deposit as paid, and no other", async () => {
  const { office, merchant } = await scene();
  const stranger = await makeMerchant(db, office.tenant);
  const row = await office.deposit(merchant);
  const report = (by: typeof merchant) =>
    inTenant(db.database, office.tenant.id, (scoped) =>
      reportDepositPaid(
        scoped,
        { tenant: office.tenant.id, merchant: by.id, actor: { kind: "merchant", id: by.id, name: by.name, ip: null, requestId: null } },
        row.id,
        { reference_no: "REF-1", payment_date: "2026-11-21T06:00:00.000Z" },
      ),
    );
  await expect(report(stranger)).rejects.toMatchObject({ code: "not-found" });
  expect(await report(merchant)).toMatchObject({
    status: "process",
    reference_no: "REF-1",
    payment_date: new Date("2026-11-21T06:00:00.000Z"),
  });
  await expect(report(merchant)).rejects.toMatchObject({ code: "deposit.not-pending" });
  const { data } = await act.readDeposit(office.call(), { params: { uuid: row.id }, query: undefined, body: undefined });
  expect(data.history.map(({ act: what, by }) => [what, by])).toEqual([
    ["create", merchant.name],
    ["process", merchant.name],
  ]);
  expect(data.row.last_action_by).toEqual({ uuid: null, name: merchant.name });
});

test("the merchant's acknowledgement completes the approval that stands, and nothing else", async () => {
  const { office, merchant } = await scene();
  const rejected = await office.deposit(merchant);
  await act.rejectDeposits(office.call(), body({ rows: [{ uuid: rejected.id, version: 1 }], reason: { code: "duplicate" } }));
  const row = again(await on("approveDeposits", office, again(await on("processDeposits", office, await office.deposit(merchant)))));
  const acknowledge = (id: string, eventN: number) =>
    inTenant(db.database, office.tenant.id, async (scoped) => {
      const done = await completeAfterCallback(scoped, { tenant: office.tenant.id, transactionId: id, eventN });
      if (done) {
        // what the dispatcher writes beside it
        await scoped
          .updateTable("outbox")
          .set({ state: "delivered", attempts: 1, next_attempt_at: null })
          .where("transaction_id", "=", id)
          .execute();
        const { id: outbox } = await scoped.selectFrom("outbox").select("id").where("transaction_id", "=", id).executeTakeFirstOrThrow();
        await scoped
          .insertInto("callback_attempts")
          .values({
            tenant_id: office.tenant.id,
            outbox_id: outbox,
            n: 1,
            status: 200,
            milliseconds: 5,
            answer: "",
            error: null,
            by_user: null,
          })
          .execute();
      }
      return done;
    });
  expect(await acknowledge(row.id, 2)).toBeNull();
  expect(await acknowledge(rejected.id, 2)).toBeNull();
  expect(await acknowledge(row.id, 3)).toBeNull();
  expect(await acknowledge(row.id, 4)).toMatchObject({ status: "completed" });
  expect(await acknowledge(row.id, 4)).toBeNull();
});
