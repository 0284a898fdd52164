import { expect, test } from "vitest";
import { depositHandlers as act } from "../../../src/server/payments/deposits.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase();

async function scene() {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  const account = await makeAccount(db, office.tenant, { balance: "0" });
  await makeGroup(db, office.tenant, [account], [merchant]);
  const line = async (amount: string, status = "unmatched") => {
    const { rows } = await db.owner.query<{ id: string }>(
      `insert into bank_lines (tenant_id, currency, payment_account_id, time, direction, amount, counterparty, status, source, digest)
        values ($1, 'MYR', $2, now(), 'credit', $3, 'TAN WEI MING', $4, 'hand', sha256(gen_random_uuid()::text::bytea)) returning id`,
      [office.tenant.id, account.id, amount, status],
    );
    return rows[0]?.id ?? "";
  };
  const read = async (uuid: string, permissions?: string[]) => {
    const call = office.call(office.ann, { ...(permissions && { permissions }) });
    return (await act.readDeposit(call, { params: { uuid }, query: undefined, body: undefined })).data.lines;
  };
  return { office, merchant, line, read };
}

test("an open deposit shows the lines that fit it, a matched one its line, and who may not see lines none", async () => {
  const { office, merchant, line, read } = await scene();
  const { uuid } = await office.paid(merchant, { amount: "70.00" });
  await line("71.00");
  const fitting = await line("70.00");
  expect(await read(uuid)).toMatchObject({ matched: null, suggestions: [{ line: { uuid: fitting, amount: "70.00" } }] });
  expect(await read(uuid, ["pas.transaction.deposits.view"])).toEqual({ matched: null, suggestions: [] });
  await db.owner.query("update bank_lines set status = 'matched' where id = $1", [fitting]);
  await db.owner.query(
    `insert into bank_matches (tenant_id, line_id, n, transaction_id, amount, score_amount, score_reference, score_name, score_time, automatic)
      values ($1, $2, 1, $3, 70, 35, 0, 20, 15, false)`,
    [office.tenant.id, fitting, uuid],
  );
  expect(await read(uuid)).toMatchObject({ matched: { uuid: fitting, counterparty: "TAN WEI MING" }, suggestions: [] });
  expect(await read(uuid, ["pas.transaction.deposits.view"])).toEqual({ matched: null, suggestions: [] });
});

test("late money is an expired deposit that an unmatched line fits", async () => {
  const { office, merchant, line } = await scene();
  const [late] = [await office.deposit(merchant, { amount: "80.00" }), await office.deposit(merchant, { amount: "90.00" })];
  await db.owner.query("update transactions set expires_at = now() where tenant_id = $1", [office.tenant.id]);
  await expireDue(office.deps, office.tenant.id, 10);
  const shown = async () => {
    const query = { view: "late", limit: 100, direction: "next" } as const;
    return (await act.listDeposits(office.call(), { query, params: undefined, body: undefined })).data.map(({ uuid }) => uuid);
  };
  expect(await shown()).toEqual([]);
  await line("80.00", "unmatched");
  expect(await shown()).toEqual([late?.id]);
  const counts = await act.countDeposits(office.call(), { query: undefined, params: undefined, body: undefined });
  expect(counts.data).toMatchObject({ late: 1, waiting: 0 });
});
