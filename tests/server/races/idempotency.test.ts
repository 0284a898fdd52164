import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RowRef } from "../../../src/contract/wire.ts";
import type { Operator } from "../../support/crew.ts";
import { makeCrew } from "../../support/crew.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { serve } from "../../support/http.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";

const keys = long({ share: 500, whole: 10_000 });
const at_once = 20;

const db = testDatabase({ pool: 24, patient: true });
let served: Served;
let office: Office;
let crew: Operator[];
beforeAll(async () => {
  served = await serve(db, { listen: true });
  office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  await makeAccount(db, office.tenant, { balance: "100000000" });
  crew = await makeCrew(db, served, office, 8);
});
afterAll(() => served.app.close());

test(`${keys} keys, each sent twice at once, then with another body, then by another user: one effect, equal answers`, async () => {
  const merchant = await makeMerchant(db, office.tenant, { wallet: "10000000" });
  let next = 0;
  const wrong: unknown[] = [];
  await Promise.all(
    Array.from({ length: at_once }, async (_, worker) => {
      const [operator, other] = [crew[worker % 8], crew[(worker + 1) % 8]];
      if (!operator || !other) throw new Error("there is a crew");
      while (next < keys) {
        const n = next++;
        // oxlint-disable-next-line no-await-in-loop -- one key after the other, by many hands
        const { id: uuid, version } = await office.withdraw(merchant, {
          amount: "10.00",
          member: `M${n}`,
          account_number: `${70_000_000 + n}`,
        });
        // oxlint-disable-next-line no-await-in-loop
        const { row } = await operator.act("claim", { uuid, version });
        if (!row) throw new Error("a free one is claimed");
        const key = randomUUID();
        // a twin that takes over two seconds is asked about again, as a client does
        const send = async (by: Operator, ref: RowRef): Promise<Awaited<ReturnType<Operator["ask"]>>> => {
          const answer = await by.ask("approveWithdrawals", { rows: [{ uuid: ref.uuid, version: ref.version }] }, key);
          return answer.text.includes("request.in-progress") ? send(by, ref) : answer;
        };
        // oxlint-disable-next-line no-await-in-loop
        const [one, twin] = await Promise.all([send(operator, row), send(operator, row)]);
        if (one?.status !== 200 || one.text !== twin?.text || !one.text.includes('"done":true')) wrong.push([one, twin]);
        // oxlint-disable-next-line no-await-in-loop
        const [again, mismatch, foreign] = await Promise.all([
          send(operator, row),
          send(operator, { uuid, version: row.version + 7 }),
          send(other, row),
        ]);
        if (again?.text !== one?.text) wrong.push(["again", again]);
        if (mismatch?.code !== "request.idempotency-mismatch") wrong.push(["mismatch", mismatch]);
        if (!foreign?.text.includes("transaction.already-decided")) wrong.push(["foreign", foreign]);
      }
    }),
  );
  expect(wrong).toEqual([]);
  const { rows } = await db.owner.query(
    "select act, count(*)::integer as n from transaction_events where tenant_id = $1 and act = 'approve' group by 1",
    [office.tenant.id],
  );
  expect(rows).toEqual([{ act: "approve", n: keys }]);
}, 300_000);
