import { randomUUID } from "node:crypto";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { discardUpload } from "../files/unnamed-files.ts";

/** Bytes of a part: what an export holds in memory, and what one row or one request to the store carries. */
const partBytes = 4 * 1024 * 1024;

interface Whose {
  readonly tenant: string;
  /** The export. */
  readonly id: string;
}
type Of = Whose & { readonly file: string };

/**
 * Keeps the pieces of a file in the store, part after part. A part is in the store before its row; without the row it is an orphan, which
 * a sweep deletes. Answers the bytes in all.
 */
export async function storeParts(deps: Deps, { tenant, id, file }: Of, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let [n, size] = [0, 0];
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const store = async () => {
    const bytes = Buffer.concat(held);
    [held, heldBytes] = [[], 0];
    await storePart(deps, { tenant, id, file }, n++, bytes);
    size += bytes.length;
  };
  for await (const piece of pieces) {
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes >= partBytes) await store();
  }
  if (heldBytes > 0) await store();
  return size;
}

async function storePart({ database, files }: Deps, { tenant, id, file }: Of, n: number, bytes: Buffer): Promise<void> {
  const storedAs = randomUUID();
  await inTenant(database, tenant, (db) => db.insertInto("file_uploads").values({ tenant_id: tenant, id: storedAs }).execute());
  await files.put({ tenant, id: storedAs }, bytes);
  await inTenant(database, tenant, async (db) => {
    const named = await db
      .deleteFrom("file_uploads")
      .where("tenant_id", "=", tenant)
      .where("id", "=", storedAs)
      .where("is_given_up", "=", false)
      .executeTakeFirst();
    if (named.numDeletedRows !== 1n) throw new Error("a part was taken for an orphan before it was stored");
    await db
      .insertInto("export_parts")
      .values({ tenant_id: tenant, export_id: id, file, n, stored_as: storedAs, bytes: bytes.length })
      .execute();
  });
}

/** The bytes of a file, a part at a time. Throws when one is not there. */
export async function* readParts({ database, files }: Deps, { tenant, id, file }: Of): AsyncGenerator<Uint8Array, void> {
  const parts = await inTenant(database, tenant, (db) =>
    db
      .selectFrom("export_parts")
      .select(["stored_as", "bytes"])
      .where("tenant_id", "=", tenant)
      .where("export_id", "=", id)
      .where("file", "=", file)
      .orderBy("n")
      .execute(),
  );
  for (const { stored_as: storedAs, bytes } of parts) {
    const part = await files.get({ tenant, id: storedAs });
    if (part?.length !== bytes) throw new Error(`a part of the export ${id} is not in the store: ${storedAs}`);
    yield part;
  }
}

/**
 * Gives up all parts of an export within the caller's transaction. Answers them; the caller deletes them after the commit
 * (`discardParts`), and the sweep of orphans does for one that ends before.
 */
export async function giveUpParts(db: Scoped, { tenant, id }: Whose): Promise<string[]> {
  const parts = await db
    .deleteFrom("export_parts")
    .where("tenant_id", "=", tenant)
    .where("export_id", "=", id)
    .returning("stored_as")
    .execute();
  const given = parts.map(({ stored_as }) => ({ tenant_id: tenant, id: stored_as, is_given_up: true }));
  if (given.length > 0) await db.insertInto("file_uploads").values(given).execute();
  return given.map((part) => part.id);
}

export async function discardParts(deps: Deps, tenant: string, parts: readonly string[]): Promise<void> {
  for (const part of parts) await discardUpload(deps, tenant, part);
}
