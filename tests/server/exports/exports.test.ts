import { beforeAll, expect, test } from "vitest";
import { exportHandlers } from "../../../src/server/exports/exports.ts";
import { testDatabase } from "../../support/database.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
beforeAll(async () => {
  office = await makeOffice(db);
});

test("every export is in the audit log: who, of what, how many rows, by which filter", async () => {
  const noted = { rows: 12, filter: { view: "open", amount: "500..1000" } };
  await exportHandlers.exportWithdrawals(office.call(), body(noted));
  await exportHandlers.exportPaymentAccounts(office.call(), body({ rows: 1, filter: {} }));
  const { rows } = await db.owner.query(
    "select act, entity, actor_id, after from audit_entries where tenant_id = $1 and act like '%.export' order by id",
    [office.tenant.id],
  );
  const actor_id = office.call().caller.id;
  expect(rows).toEqual([
    { act: "withdrawal.export", entity: "withdrawal", actor_id, after: { ...noted, currency: "MYR" } },
    { act: "payment-account.export", entity: "payment-account", actor_id, after: { rows: 1, filter: {}, currency: "MYR" } },
  ]);
});
