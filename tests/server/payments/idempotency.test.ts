import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Refusal } from "../../../src/contract/problems.ts";
import { once } from "../../../src/server/idempotency.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";

const db = testDatabase({ pool: 24 });

test("an approval repeated five times at once pays once and answers five times the same", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const account = await makeAccount(db, office.tenant);
  const { uuid, version } = await office.claimed(merchant);
  const call = office.call(office.ann, { key: "approve-once-0001" });
  const answers = await Promise.all(Array.from({ length: 5 }, () => act.approveWithdrawals(call, body({ rows: [{ uuid, version }] }))));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.data.outcomes[0]).toMatchObject({ done: true, row: { status: "approved" } });
  expect(await office.balance("payment-account", account.id)).toBe("999500.00");
  // and long after
  expect(JSON.stringify(await act.approveWithdrawals(call, body({ rows: [{ uuid, version }] })))).toBe(JSON.stringify(answers[0]));
});

test("what a repetition needs of an approval is kept in less than 1,200 bytes", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const { uuid, version } = await office.claimed(merchant);
  const call = office.call(office.ann, { key: "01900000-0000-7000-8000-000000000000" });
  await act.approveWithdrawals(call, body({ rows: [{ uuid, version }] }));
  const { rows } = await db.owner.query<{ bytes: number }>(
    "select sum(pg_column_size(k))::integer as bytes from idempotency_keys k where tenant_id = $1 and key like $2",
    [office.tenant.id, "01900000-%"],
  );
  expect(rows[0]?.bytes).toBeLessThan(1_200);
});

test("a refusal is an answer too: the same key gives it again although the act would succeed by now", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const { uuid, version } = await office.claimed(merchant);
  const call = office.call(office.ann, { key: "approve-once-0002" });
  const refused = await act.approveWithdrawals(call, body({ rows: [{ uuid, version }] }));
  expect(refused.data.outcomes[0]).toMatchObject({ done: false, problem: { code: "payment-account.unfit" } });
  await makeAccount(db, office.tenant);
  expect(await act.approveWithdrawals(call, body({ rows: [{ uuid, version }] }))).toEqual(refused);
  const anew = await act.approveWithdrawals(office.call(), body({ rows: [{ uuid, version }] }));
  expect(anew.data.outcomes[0]).toMatchObject({ done: true });
});

test("a key of another request is refused, whatever rows the other names; another user's same key is their own", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const [one, two] = [
    await office.claimed(merchant),
    await office.claimed(merchant, { amount: "501.00", account_number: "77777" }, office.ben),
  ];
  const send = (row: typeof one, person: typeof office.ann) => {
    const rows = [{ uuid: row.uuid, version: row.version }];
    return act.approveWithdrawals(office.call(person, { key: "shared-key-0001", body: rows }), body({ rows }));
  };
  expect((await send(one, office.ann)).data.outcomes[0]).toMatchObject({ done: true });
  await expect(send(two, office.ann)).rejects.toMatchObject({ code: "request.idempotency-mismatch" });
  expect((await send(two, office.ben)).data.outcomes[0]).toMatchObject({ done: true });
});

test("a twin of a request that takes too long is refused as in progress, and may try again", async () => {
  const office = await makeOffice(db);
  const call = office.call(office.ann, { key: "slow-key-00001" });
  let finish = () => {};
  let started = () => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const first = once(call, null, async () => {
    started();
    await new Promise<void>((resolve) => (finish = resolve));
    return { answer: { done: 1 } };
  });
  await running;
  await expect(once(call, null, async () => ({ answer: { done: 2 } }))).rejects.toMatchObject({ code: "request.in-progress" });
  finish();
  expect(await first).toEqual({ done: 1 });
  expect(await once(call, null, async () => ({ answer: { done: 2 } }))).toEqual({ done: 1 });
});

test("a failure that is no refusal leaves nothing behind and may run again", async () => {
  const office = await makeOffice(db);
  const call = office.call(office.ann, { key: "failing-key-001" });
  await expect(
    once(call, null, async () => {
      throw new Error("bug");
    }),
  ).rejects.toThrow("bug");
  await expect(
    once(call, null, async () => {
      throw new Refusal("not-found");
    }),
  ).rejects.toMatchObject({ code: "not-found" });
  expect(await once(call, null, async () => ({ answer: "done" }))).toBe("done");
});

test("a refused act's writes are gone, its answer stays", async () => {
  const office = await makeOffice(db);
  const call = office.call(office.ann, { key: "refused-key-001" });
  const write = () =>
    once(call, null, async (scoped) => {
      await scoped.updateTable("tenants").set({ name: "Changed" }).where("id", "=", office.tenant.id).execute();
      throw new Refusal("withdrawal.claimed", { by: "Ben" });
    });
  await expect(write()).rejects.toMatchObject({ code: "withdrawal.claimed", detail: { by: "Ben" } });
  await expect(write()).rejects.toMatchObject({ code: "withdrawal.claimed", detail: { by: "Ben" } });
  const { rows } = await db.owner.query("select name from tenants where id = $1", [office.tenant.id]);
  expect(rows[0]?.name).not.toBe("Changed");
});

test("a bulk act's rows each have their own key, so that a repetition finishes what a cut left undone", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const claimed = [
    await office.claimed(merchant, { account_number: "10000" }),
    await office.claimed(merchant, { amount: "501.00", account_number: "20000" }),
  ];
  const rows = claimed.map(({ uuid, version }) => ({ uuid, version }));
  const call = office.call(office.ann, { key: "bulk-key-000001", body: rows });
  // as if the connection was cut after the first row
  const cut = { ...call, fingerprint: createHash("sha256").update(JSON.stringify(rows)).digest() };
  await act.approveWithdrawals(cut, body({ rows: rows.slice(0, 1) }));
  const { data } = await act.approveWithdrawals(call, body({ rows }));
  expect(data.outcomes.map(({ done }) => done)).toEqual([true, true]);
  const decisions = await db.owner.query("select from decisions where tenant_id = $1", [office.tenant.id]);
  expect(decisions.rowCount).toBe(2);
});
