import type { KeyObject } from "node:crypto";
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts secrets that must be readable again: merchants' secrets, providers' credentials. */
export interface SecretBox {
  /** AES-256-GCM with `place` ("tenant|table|row|column") as associated data, so that a value moved elsewhere does not open. */
  seal(plain: string, place: string): Buffer;
  /** Throws when the value or its place has changed, or it was sealed with another key. */
  open(sealed: Buffer, place: string): string;
  /** Whether it was sealed with the newest key. */
  isCurrent(sealed: Buffer): boolean;
  /** The id of the newest key, which reveals nothing about it. */
  readonly keyId: string;
  /** A separate key per purpose, derived from the newest master key. */
  derive(purpose: string): Buffer;
  /**
   * The same from every master key, newest first, to verify what was signed before a rotation. As key objects, because an HMAC by one takes
   * 2 µs and by bytes 13, and every request verifies.
   */
  derivations(purpose: string): readonly KeyObject[];
}

/** Version 1: nonce, tag, body. Version 2: the key's id before these. */
const version = 2;
const idBytes = 4;

interface Key {
  readonly id: Buffer;
  readonly columns: Buffer;
  derive(purpose: string): Buffer;
  keyObject(purpose: string): KeyObject;
}

function keyOf(master: Buffer): Key {
  if (master.length !== 32) throw new Error("the master key has 32 bytes");
  // cached, because every request needs the key of its token
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const key = derived.get(purpose) ?? Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), `countinghouse ${purpose}`, 32));
    derived.set(purpose, key);
    return key;
  };
  const objects = new Map<string, KeyObject>();
  const keyObject = (purpose: string) => {
    const key = objects.get(purpose) ?? createSecretKey(derive(purpose));
    objects.set(purpose, key);
    return key;
  };
  return { id: derive("key id").subarray(0, idBytes), columns: derive("columns"), derive, keyObject };
}

function decrypt(key: Key, sealed: Buffer, place: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key.columns, sealed.subarray(0, 12)).setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString("utf8");
}

/** `masters`: the newest first. It seals; the others only open what they have sealed. */
export function secretBox(...masters: readonly [Buffer, ...Buffer[]]): SecretBox {
  const [newest, ...older] = masters.map(keyOf);
  if (!newest) throw new Error("a master key is needed");
  const keys = [newest, ...older];
  const isOf = (key: Key, sealed: Buffer) => sealed[0] === version && sealed.subarray(1, 1 + idBytes).equals(key.id);
  return {
    keyId: newest.id.toString("hex"),
    derive: newest.derive,
    derivations: (purpose) => keys.map((key) => key.keyObject(purpose)),
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
      // version 1 does not name its key
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

/** The place of the secret of a payment account's forwarders. */
export const noticeSecretPlace = (tenant: string, account: string) => `${tenant}|payment_accounts|${account}|notice_secret`;
/** The place of a merchant's secret. */
export const merchantSecretPlace = (tenant: string, merchant: string) => `${tenant}|merchants|${merchant}|secret`;
/** The place of the credentials of the house's account at a provider. */
export const masterCredentialsPlace = (tenant: string, account: string) => `${tenant}|master_accounts|${account}|credentials`;
/** The place of a credential of a merchant's set-up at a provider. */
export const providerCredentialPlace = (column: "api_credential" | "account_credentials") => (tenant: string, provider: string) =>
  `${tenant}|merchant_providers|${provider}|${column}`;
