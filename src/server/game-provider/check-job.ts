import { z } from "zod";
import { mostChecked } from "../../contract/master-accounts.ts";
import { inTenant } from "../db/scope.ts";
import { defineJob } from "../jobs/kind.ts";
import { checkAccounts } from "./check-accounts.ts";

/** Asks the providers of some accounts because a person wants to know. After a kill it asks only those it has not asked. */
export const creditCheckJob = defineJob({
  name: "credit-check",
  payload: z.strictObject({ accounts: z.array(z.uuid()).max(mostChecked) }),
  attempts: 3,
  atOnce: 8,
  perTenant: 6,
  minutes: 5,
  async work({ deps, tenant, id, payload: { accounts }, signal, progress }) {
    const row = await inTenant(deps.database, tenant, (db) =>
      db.selectFrom("jobs").select("started_by").where("tenant_id", "=", tenant).where("id", "=", id).executeTakeFirst(),
    );
    const by = { job: id, user: row?.started_by ?? null };
    await checkAccounts(deps, tenant, accounts, by, signal, (answered) => progress(answered, accounts.length));
    signal.throwIfAborted();
  },
});
