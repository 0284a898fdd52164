import type { Receipt, ReceiptType } from "../../contract/receipts.ts";
import { mostReceipts } from "../../contract/receipts.ts";
import { Refusal } from "../../contract/problems.ts";
import type { UploadedFile } from "../../contract/uploads.ts";
import type { Actor } from "../audit/record.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { violated } from "../db/errors.ts";
import { inTenant } from "../db/scope.ts";
import { newId } from "../payments/transition.ts";
import type { OwnerRow, ReceiptOwner } from "./receipt-owners.ts";
import { cleanName, inspect } from "./inspect.ts";

/** A file in the store that no row names yet. */
export interface StoredReceipt {
  readonly id: string;
  readonly type: ReceiptType;
  readonly size: number;
  readonly hash: Buffer;
  readonly name: string;
}

/**
 * Checks a file and puts it into the store, before and outside of the transaction that keeps it (`keepReceipt`). Without one it is an
 * orphan, which a sweep deletes after an hour. Throws the refusals of `inspect`.
 */
export async function storeReceipt(deps: Deps, tenant: string, sent: UploadedFile): Promise<StoredReceipt> {
  const { type, bytes } = await inspect(sent.bytes);
  const id = newId(new Date());
  await inTenant(deps.database, tenant, (db) => db.insertInto("file_uploads").values({ tenant_id: tenant, id }).execute());
  await deps.files.put({ tenant, id }, bytes).catch((error: unknown) => {
    deps.log.error({ err: error, tenant, place: deps.files.place }, "a receipt cannot be stored");
    throw new Refusal("server.unavailable");
  });
  return { id, type, size: bytes.length, hash: Buffer.from(sent.sha256, "hex"), name: cleanName(sent.name, type) };
}

/**
 * Makes a stored file a receipt of a row that this transaction has locked (`find` of its owner). Answers the row as it is now. Throws
 * receipt.known | limit, and request.busy when a sweep has taken the file for an orphan.
 */
export async function keepReceipt<Row extends OwnerRow>(
  db: Scoped,
  owner: ReceiptOwner<Row>,
  row: Row,
  actor: Actor,
  stored: StoredReceipt,
): Promise<Row> {
  const tenant = row.tenant_id;
  const claimed = await db
    .deleteFrom("file_uploads")
    .where("tenant_id", "=", tenant)
    .where("id", "=", stored.id)
    .where("is_given_up", "=", false)
    .executeTakeFirst();
  if (claimed.numDeletedRows !== 1n) throw new Refusal("request.busy");
  const known = await receiptsOf(db, owner, row);
  if (known.some(({ hash }) => hash === stored.hash.toString("hex"))) throw new Refusal("receipt.known");
  if (known.length >= mostReceipts) throw new Refusal("receipt.limit");
  const { id, type, size, hash, name } = stored;
  await db
    .insertInto("receipts")
    .values({
      tenant_id: tenant,
      id,
      [owner.column]: row.id,
      currency: row.currency,
      type,
      size,
      hash,
      name,
      by_user: actor.kind === "user" ? actor.id : null,
      actor: actor.name,
      added_at: row.now,
    })
    .execute()
    .catch((error: unknown) => {
      throw ["receipts_hash", "receipts_transfer_hash"].includes(violated(error) ?? "") ? new Refusal("receipt.known") : error;
    });
  const after = { receipt: id, name, type, size, hash: hash.toString("hex") };
  return owner.note(db, row, actor, id, { act: "receipt-add", after });
}

/** Takes a receipt off a row that is not decided; it is locked. The receipt's file is deleted a month later. */
export async function removeReceipt<Row extends OwnerRow>(
  db: Scoped,
  owner: ReceiptOwner<Row>,
  row: Row,
  actor: Actor & { readonly id: string },
  receipt: string,
  reason: string,
): Promise<Row> {
  const removed = await db
    .updateTable("receipts")
    .set({ removed_at: row.now, removed_by: actor.id, removed_reason: reason })
    .where("tenant_id", "=", row.tenant_id)
    .where(owner.column, "=", row.id)
    .where("id", "=", receipt)
    .where("removed_at", "is", null)
    .returning(["name"])
    .executeTakeFirst();
  if (!removed) throw new Refusal("not-found");
  const left = await receiptsOf(db, owner, row);
  const fact = { act: "receipt-remove", before: { receipt, name: removed.name }, reason } as const;
  return owner.note(db, row, actor, left.at(-1)?.uuid ?? null, fact);
}

/** What names the receipts of one row. */
type Owner = Pick<ReceiptOwner<never>, "column">;

/** The receipts of a row that were not removed, oldest first. */
export async function receiptsOf(
  db: Scoped,
  { column }: Owner,
  { tenant_id, id: row }: Pick<OwnerRow, "tenant_id" | "id">,
): Promise<Receipt[]> {
  const rows = await db
    .selectFrom("receipts")
    .select(["id", "type", "size", "hash", "name", "added_at", "actor"])
    .where("tenant_id", "=", tenant_id)
    .where(column, "=", row)
    .where("removed_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(({ id, hash, added_at, actor, ...rest }) => ({
    uuid: id,
    ...rest,
    hash: hash.toString("hex"),
    at: added_at.toISOString(),
    by: actor,
  }));
}

/** The file of a row's receipt. Throws not-found, and receipt.unavailable when the store does not have it or does not answer. */
export async function fileOf(
  deps: Deps,
  tenant: string,
  { column }: Owner,
  row: string,
  receipt: string,
): Promise<{ type: ReceiptType; name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const known = await inTenant(deps.database, tenant, (db) =>
    db
      .selectFrom("receipts")
      .select(["type", "name"])
      .where("tenant_id", "=", tenant)
      .where(column, "=", row)
      .where("id", "=", receipt)
      .where("removed_at", "is", null)
      .executeTakeFirst(),
  );
  if (!known) throw new Refusal("not-found");
  const bytes = await deps.files.get({ tenant, id: receipt }).catch((error: unknown) => {
    deps.log.error({ err: error, tenant, receipt, place: deps.files.place }, "the file of a receipt cannot be read");
    return null;
  });
  if (bytes === null) {
    deps.log.error({ tenant, receipt, place: deps.files.place }, "a receipt has no file");
    throw new Refusal("receipt.unavailable");
  }
  return { ...known, bytes: new Uint8Array(bytes) };
}
