import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what must be shown or used again: merchants' secrets, providers' credentials. */
export interface SecretBox {
  /** AES-256-GCM; `place` ("tenant|table|row|column") is bound in, so that a value moved elsewhere does not open. */
  seal(plain: string, place: string): Buffer;
  /** Throws when the value or its place is not what was sealed, or its key is none of ours. */
  open(sealed: Buffer, place: string): string;
  /** Whether it was sealed with the newest key. */
  isCurrent(sealed: Buffer): boolean;
  /** Names the newest key and tells nothing of it. */
  readonly keyId: string;
  /** A key of its own for each purpose, from the newest master key. */
  derive(purpose: string): Buffer;
  /** The same of every master key, the newest first: for what was signed before the last change of keys. */
  derivations(purpose: string): readonly Buffer[];
}

/** 1: nonce, tag, body. 2: the key's id before these. */
const version = 2;
const idBytes = 4;

interface Key {
  readonly id: Buffer;
  readonly columns: Buffer;
  derive(purpose: string): Buffer;
}

function keyOf(master: Buffer): Key {
  if (master.length !== 32) throw new Error("the master key has 32 bytes");
  // each purpose once, because every request asks for the key of its token
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const key = derived.get(purpose) ?? Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), `countinghouse ${purpose}`, 32));
    derived.set(purpose, key);
    return key;
  };
  return { id: derive("key id").subarray(0, idBytes), columns: derive("columns"), derive };
}

function decrypt(key: Key, sealed: Buffer, place: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key.columns, sealed.subarray(0, 12)).setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString("utf8");
}

/** `masters`: the newest first; it seals, the others only open what they sealed. */
export function secretBox(...masters: readonly [Buffer, ...Buffer[]]): SecretBox {
  const [newest, ...older] = masters.map(keyOf);
  if (!newest) throw new Error("a master key is needed");
  const keys = [newest, ...older];
  const isOf = (key: Key, sealed: Buffer) => sealed[0] === version && sealed.subarray(1, 1 + idBytes).equals(key.id);
  return {
    keyId: newest.id.toString("hex"),
    derive: newest.derive,
    derivations: (purpose) => keys.map((key) => key.derive(purpose)),
    isCurrent: (sealed) => isOf(newest, sealed),
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", newest.columns, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), newest.id, nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, place) {
      if (sealed[0] === version) {
        const key = keys.find((one) => isOf(one, sealed));
        if (!key) throw new Error(`sealed with another master key (${sealed.subarray(1, 1 + idBytes).toString("hex")})`);
        return decrypt(key, sealed.subarray(1 + idBytes), place);
      }
      if (sealed[0] !== 1) throw new Error("sealed by an unknown version");
      // the first version did not name its key
      const opened = keys.flatMap((key) => {
        try {
          return [decrypt(key, sealed.subarray(1), place)];
        } catch {
          return [];
        }
      });
      if (opened[0] === undefined) throw new Error("sealed with another master key, or elsewhere");
      return opened[0];
    },
  };
}

/** Where a merchant's secret lives. */
export const merchantSecretPlace = (tenant: string, merchant: string) => `${tenant}|merchants|${merchant}|secret`;
