import { mostChecks } from "../../contract/master-accounts.ts";
import type { CheckFailure, CreditCheck } from "../../contract/provider-checks.ts";
import { amountText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";

/** The newest `mostChecks` checks of a master account, newest first. */
export async function newestChecks(db: Scoped, tenant: string, account: string): Promise<CreditCheck[]> {
  const rows = await db
    .selectFrom("master_account_checks as c")
    .leftJoin("users as u", "u.id", "c.by_user")
    .selectAll("c")
    .select("u.name as by")
    .where("c.tenant_id", "=", tenant)
    .where("c.master_account_id", "=", account)
    .orderBy("c.at", "desc")
    .limit(mostChecks)
    .execute();
  return rows.map(({ id, at, milliseconds, http_status, failure, about, balance, has_credit, answer, by, in_downtime }) => ({
    uuid: id,
    at: at.toISOString(),
    milliseconds,
    http_status,
    failure: failure as CheckFailure | null, // only checks write it
    about,
    balance: balance && amountText(balance),
    has_credit,
    answer,
    by,
    in_downtime,
  }));
}
