import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isMissing, writeWhole } from "../files/folders.ts";
import type { Keys } from "../secrets/kept-keys.ts";
import { isSignedBy, openKeys, Seal, sealKeys, signatureOf } from "./seal-key.ts";

/** The folders of a backup. The manifest lies beside them, and a folder without it is no backup. */
export const parts = { cluster: "postgres", anchors: "anchors", files: "files" } as const;

const manifestFile = "manifest.json";
const format = 1;

const position = z.string().regex(/^[0-9A-F]+\/[0-9A-F]+$/);
/** Below the backup's folder and never out of it, with slashes. */
const path = z
  .string()
  .refine((text) => text.split("/").every((name) => name !== "" && name !== "." && name !== "..") && !/[\\\0]/.test(text));

const Manifest = z.strictObject({
  format: z.literal(format),
  /** The database's clock when the copy began. */
  began: z.iso.datetime(),
  /** The database's clock when the copy of the database ended: all that was committed before is in it. */
  until: z.iso.datetime(),
  postgres: z.strictObject({
    major: z.string().regex(/^\d+$/),
    /** The cluster's own id, which its copies share. */
    system: z.string().regex(/^\d+$/),
    /** Positions in the log between which the copied files become whole. */
    start: position,
    stop: position,
  }),
  /** The name of the last migration applied. */
  migration: z.string(),
  folders: z.array(path),
  files: z.array(z.strictObject({ path, size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
});

/** What a backup holds and of when. */
export type Manifest = Readonly<z.infer<typeof Manifest>>;
export type FileEntry = Manifest["files"][number];

// the manifest as it was written, because its signature is of that text
const Signed = z.strictObject({ manifest: z.unknown(), seal: Seal, signature: z.base64() });
const AnyFormat = z.looseObject({ format: z.int() });

const signedText = (manifest: unknown, seal: unknown) => JSON.stringify([manifest, seal]);

/** Writes the manifest with the sealed master keys and its signature: from then on the folder is a backup. */
export async function writeManifest(dir: string, manifest: Manifest, keys: Keys, passphrase: string): Promise<void> {
  const { seal, signing } = await sealKeys(keys, passphrase);
  const signature = signatureOf(signing, signedText(manifest, seal));
  await writeWhole(join(dir, manifestFile), `${JSON.stringify({ manifest, seal, signature }, null, 1)}\n`);
}

/** Reads a backup's manifest and opens its master keys. Throws a sentence for whoever asked when it is none, or not as it was written. */
export async function readManifest(dir: string, passphrase: string): Promise<{ manifest: Manifest; keys: Keys }> {
  const file = join(dir, manifestFile);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new Error(`${dir} is no backup: it has no ${manifestFile}, which is written when a backup is complete`);
  });
  const { manifest: raw, seal, signature } = parse(Signed, text, file);
  const found = parse(AnyFormat, JSON.stringify(raw), file).format;
  if (found !== format) throw new Error(`${dir} is a backup of format ${found}; this version reads format ${format}`);
  const { keys, signing } = await openKeys(seal, passphrase);
  if (!isSignedBy(signing, signedText(raw, seal), signature)) throw new Error(`${file} was changed after the backup was taken`);
  return { manifest: parse(Manifest, JSON.stringify(raw), file), keys };
}

function parse<T>(shape: z.ZodType<T>, text: string, file: string): T {
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is damaged: it is not the manifest of a backup`, { cause: error });
  }
}
