import { Refusal } from "../../contract/problems.ts";
import type { ReadTransaction } from "../../contract/merchant-api.ts";
import type { MerchantCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { readView } from "./view.ts";

/** One of the merchant's own transactions; another's is refused like one that does not exist. */
export async function readTransaction({ deps, tenant, caller }: MerchantCall, uuid: string): Promise<ReadTransaction> {
  const row = await inTenant(deps.database, tenant, (db) =>
    db
      .selectFrom("transactions")
      .selectAll()
      .where("tenant_id", "=", tenant)
      .where("merchant_id", "=", caller.id)
      .where("id", "=", uuid)
      .executeTakeFirst(),
  );
  if (!row) throw new Refusal("not-found");
  return readView(row);
}

/** An answer kept for its idempotency key by an earlier release lacks the fields that came later; they are read now. */
export async function completed(
  call: MerchantCall,
  kept: Pick<ReadTransaction, "uuid"> & Partial<ReadTransaction>,
): Promise<ReadTransaction> {
  return { ...(kept.charges === undefined && (await readTransaction(call, kept.uuid))), ...(kept as ReadTransaction) }; // what it lacked was read
}
