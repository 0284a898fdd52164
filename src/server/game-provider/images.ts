import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Sharp } from "sharp";
import { Refusal } from "../../contract/problems.ts";
import type { ImageFault } from "../../contract/provider-games.ts";
import { imageSizes, mostImageBytes } from "../../contract/provider-games.ts";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { fetchFile } from "../outbox/fetch-file.ts";

/** What a picture may be given as, told by its first bytes and never by its name. */
const kinds: readonly ((head: Buffer) => boolean)[] = [
  (head) => head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (head) => head.subarray(0, 4).toString("latin1") === "RIFF" && head.subarray(8, 12).toString("latin1") === "WEBP",
  (head) => /^GIF8[79]a/.test(head.subarray(0, 6).toString("latin1")),
];

/** Pixels a picture may have: more is made to fill the memory. */
const mostPixels = 40_000_000;

/** Loaded with the first picture, because most processes never see one. */
let library: Promise<typeof import("sharp").default> | null = null;
const loadSharp = () =>
  (library ??= import("sharp").then(({ default: sharp }) => {
    // the pictures of one request must not take every core from the others
    sharp.concurrency(1);
    sharp.cache(false);
    // only what `kinds` lets through: no SVG, no PDF, nothing that reads other files
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({
      operation: ["Png", "Jpeg", "Webp", "Nsgif"].map((kind) => `VipsForeignLoad${kind}`),
    });
    return sharp;
  }));

/** A picture made anew in each size: what was given, with all that may be hidden in it, is never kept. */
async function madeAnew(bytes: Uint8Array): Promise<{ small: Buffer; large: Buffer }> {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!kinds.some((is) => is(given.subarray(0, 16)))) throw new Refusal("image.type");
  const sharp = await loadSharp();
  const options = { limitInputPixels: mostPixels, failOn: "error", pages: 1 } as const;
  try {
    const { width = 0, height = 0 } = await sharp(given, { ...options, limitInputPixels: false }).metadata();
    if (width * height > mostPixels) throw new Refusal("image.oversized");
    const whole: Sharp = sharp(given, options).autoOrient();
    const sized = (edge: number) =>
      whole.clone().resize(edge, edge, { fit: "cover", withoutEnlargement: false }).webp({ quality: 82, effort: 3 }).toBuffer();
    return { small: await sized(imageSizes.small), large: await sized(imageSizes.large) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal("image.damaged");
  }
}

/**
 * Keeps a picture, the same one once, and answers its name: the digits of what was given. One that no game names a day later is deleted.
 * Throws image.type | damaged | oversized.
 */
export async function keepImage(deps: Deps, tenant: string, bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest();
  const known = await inTenant(
    deps.database,
    tenant,
    async (db) => (await sql`select from game_images where tenant_id = ${tenant} and hash = ${hash}`.execute(db)).rows.length > 0,
  );
  if (!known) {
    const sizes = await madeAnew(bytes);
    await inTenant(deps.database, tenant, (db) =>
      db
        .insertInto("game_images")
        .values({ tenant_id: tenant, hash, ...sizes })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }
  return hash.toString("hex");
}

/** A picture that was fetched and kept, or why it was not. */
export type FetchedImage =
  | { readonly image: string; readonly fault: null }
  | { readonly image: null; readonly fault: { readonly code: ImageFault; readonly why: string } };

/** Fetches a picture from a public address and keeps it. */
export async function fetchImage(deps: Deps, tenant: string, url: string, loopback: boolean, signal: AbortSignal): Promise<FetchedImage> {
  const fetched = await fetchFile(url, { loopback, most: mostImageBytes, signal });
  if (fetched.bytes === null) return { image: null, fault: { code: "image.unreachable", why: fetched.error } };
  try {
    return { image: await keepImage(deps, tenant, fetched.bytes), fault: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { image: null, fault: { code: error.code as ImageFault, why: "" } }; // what `keepImage` refuses
  }
}

/** A kept picture in one of its sizes. */
export async function imageFile(deps: Deps, tenant: string, image: string, size: "small" | "large") {
  const row = await inTenant(deps.database, tenant, (db) =>
    db
      .selectFrom("game_images")
      .select(size)
      .where("tenant_id", "=", tenant)
      .where("hash", "=", Buffer.from(image, "hex"))
      .executeTakeFirst(),
  );
  if (!row) throw new Refusal("not-found");
  const bytes: Buffer = row[size];
  return { type: "image/webp", name: `${image.slice(0, 12)}-${size}.webp`, bytes: new Uint8Array(bytes) };
}
