import { expect, test } from "vitest";
import { permissions } from "../../../src/contract/permissions.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import type { Merchant } from "../../support/factories.ts";

const db = testDatabase({ pool: 24, patient: true });

/** Free withdrawals, as an approval that claims them names them. */
const free = async (office: Office, merchant: Merchant, amounts: readonly string[]) => {
  const made = [];
  for (const [n, amount] of amounts.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that each is of its own time
    const { id, version } = await office.withdraw(merchant, { amount, account_number: `7${n}000` });
    made.push({ uuid: id, version, claim: true as const });
  }
  return made;
};

const eventsOf = async (uuid: string) => {
  const { rows } = await db.owner.query<{ act: string }>("select act from transaction_events where transaction_id = $1 order by n", [uuid]);
  return rows.map((row) => row.act);
};

test("one request claims free withdrawals and approves them, more than the caller may hold at once", async () => {
  const office = await makeOffice(db, { settings: { claim_limit: 1, recall_seconds: 60 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const rows = await free(office, merchant, ["501.00", "502.00", "503.00"]);
  const call = office.call(office.ann, { key: "claims-key-0001", body: rows });
  const { data } = await act.approveWithdrawals(call, body({ rows }));
  expect(data.outcomes.map((outcome) => (outcome.done ? outcome.row.status : outcome.problem.code))).toEqual([
    "approved",
    "approved",
    "approved",
  ]);
  const events = await eventsOf(rows[0]?.uuid ?? "");
  expect(events.slice(-2)).toEqual(["claim", "approve"]);
  // the same request again answers the same, and does nothing
  expect(await act.approveWithdrawals(call, body({ rows }))).toEqual({ data });
  expect(await eventsOf(rows[0]?.uuid ?? "")).toEqual(events);
});

test("where the approval is refused, the claim stays and is announced", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const [row] = await free(office, merchant, ["504.00"]);
  if (row === undefined) throw new Error("nothing was made");
  const { data } = await act.approveWithdrawals(office.call(), body({ rows: [row] }));
  expect(data.outcomes).toMatchObject([{ uuid: row.uuid, done: false, problem: { code: "payment-account.unfit" } }]);
  const { rows: kept } = await db.owner.query("select status, claimed_by from transactions where id = $1", [row.uuid]);
  expect(kept).toEqual([{ status: "process", claimed_by: office.ann.id }]);
  expect(office.announced.at(-1)).toMatchObject({ event: "withdraw", uuids: [row.uuid] });
});

test("one that another has claimed is refused, and the others are done", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const rows = await free(office, merchant, ["505.00", "506.00"]);
  const theirs = await office.claimed(merchant, { amount: "507.00", account_number: "79000" }, office.ben);
  const asked = [rows[0], { uuid: theirs.uuid, version: theirs.version, claim: true as const }, rows[1]].filter((row) => row !== undefined);
  const { data } = await act.approveWithdrawals(office.call(), body({ rows: asked }));
  expect(data.outcomes.map((outcome) => (outcome.done ? outcome.row.status : outcome.problem.code))).toEqual([
    "approved",
    "withdrawal.claimed",
    "approved",
  ]);
});

test("it needs the right to claim", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const rows = await free(office, merchant, ["508.00"]);
  const without = permissions.filter((one) => one !== "pas.transaction.withdrawals.process");
  const call = office.call(office.ann, { permissions: without });
  await expect(act.approveWithdrawals(call, body({ rows }))).rejects.toMatchObject({
    code: "permission.missing",
    detail: { permission: "pas.transaction.withdrawals.process" },
  });
  expect(await eventsOf(rows[0]?.uuid ?? "")).not.toContain("claim");
});
