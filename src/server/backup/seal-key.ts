import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Keys } from "../secrets/kept-keys.ts";

/** Work of scrypt: 128 MiB and about half a second for each guess at a passphrase. */
const work = { N: 2 ** 17, r: 8, p: 1 };

const text = (bytes: Buffer): string => bytes.toString("base64");
const bytesOf = (base64: string): Buffer => Buffer.from(base64, "base64");
const sized = (length: number) => z.base64().refine((base64) => bytesOf(base64).length === length, `must be ${length} bytes`);

/** The master keys of a backup, sealed by its passphrase: scrypt, then AES-256-GCM. All of it is base64. */
export const Seal = z.strictObject({ salt: sized(16), nonce: sized(12), tag: sized(16), keys: z.base64() });
export type Seal = Readonly<z.infer<typeof Seal>>;

interface Derived {
  /** Seals the master keys. */
  readonly sealing: Buffer;
  /** Signs the manifest. */
  readonly signing: Buffer;
}

async function derive(passphrase: string, salt: Buffer): Promise<Derived> {
  // composed and decomposed letters look alike, and keyboards differ in which they send
  const composed = passphrase.normalize("NFKC");
  const derived = await new Promise<Buffer>((resolve, reject) => {
    scrypt(composed, salt, 64, { ...work, maxmem: 256 * 1024 * 1024 }, (error, key) => (error ? reject(error) : resolve(key)));
  });
  return { sealing: derived.subarray(0, 32), signing: derived.subarray(32) };
}

/** Seals the master keys, and answers the key the manifest is signed with. */
export async function sealKeys(keys: Keys, passphrase: string): Promise<{ seal: Seal; signing: Buffer }> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const { sealing, signing } = await derive(passphrase, salt);
  const cipher = createCipheriv("aes-256-gcm", sealing, nonce);
  const sealed = Buffer.concat([cipher.update(Buffer.concat([...keys])), cipher.final()]);
  const seal = { salt: text(salt), nonce: text(nonce), tag: text(cipher.getAuthTag()), keys: text(sealed) };
  return { seal, signing };
}

/** Opens them. Throws when the passphrase is another, or the seal was changed, which nobody can tell apart. */
export async function openKeys(seal: Seal, passphrase: string): Promise<{ keys: Keys; signing: Buffer }> {
  const { sealing, signing } = await derive(passphrase, bytesOf(seal.salt));
  const decipher = createDecipheriv("aes-256-gcm", sealing, bytesOf(seal.nonce)).setAuthTag(bytesOf(seal.tag));
  let opened: Buffer;
  try {
    opened = Buffer.concat([decipher.update(bytesOf(seal.keys)), decipher.final()]);
  } catch (error) {
    throw new Error("the passphrase does not open this backup's master key; nothing was changed", { cause: error });
  }
  const [key, previous] = [opened.subarray(0, 32), opened.subarray(32)];
  return { keys: previous.length > 0 ? [key, previous] : [key], signing };
}

/** The signature of a text, base64. */
export const signatureOf = (signing: Buffer, signed: string): string => createHmac("sha256", signing).update(signed).digest("base64");

/** Whether it is the signature of the text. */
export function isSignedBy(signing: Buffer, signed: string, signature: string): boolean {
  const [found, expected] = [bytesOf(signature), bytesOf(signatureOf(signing, signed))];
  return found.length === expected.length && timingSafeEqual(found, expected);
}
