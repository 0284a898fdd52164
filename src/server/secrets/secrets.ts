import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what must be shown or used again: merchants' secrets, providers' credentials. */
export interface SecretBox {
  /** AES-256-GCM; `place` ("tenant|table|row|column") is bound in, so that a value moved elsewhere does not open. */
  seal(plain: string, place: string): Buffer;
  /** Throws when the value or its place is not what was sealed. */
  open(sealed: Buffer, place: string): string;
  /** A key of its own for each purpose, from the one master key. */
  derive(purpose: string): Buffer;
}

const version = 1;

/** `master`: 32 bytes. */
export function secretBox(master: Buffer): SecretBox {
  if (master.length !== 32) throw new Error("the master key has 32 bytes");
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", master, Buffer.alloc(0), `countinghouse ${purpose}`, 32));
  const key = derive("columns");
  return {
    derive,
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, place) {
      if (sealed[0] !== version) throw new Error("sealed by an unknown version");
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 13)).setAAD(Buffer.from(place));
      decipher.setAuthTag(sealed.subarray(13, 29));
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString("utf8");
    },
  };
}

/** Where a merchant's secret lives. */
export const merchantSecretPlace = (tenant: string, merchant: string) => `${tenant}|merchants|${merchant}|secret`;
