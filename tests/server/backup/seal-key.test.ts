import { expect, test } from "vitest";
import { isSignedBy, openKeys, sealKeys, signatureOf } from "../../../src/server/backup/seal-key.ts";
import type { Keys } from "../../../src/server/secrets/kept-keys.ts";

const keys: Keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

test("the master key and the one before it come back by the passphrase, however its letters are composed, and by no other", async () => {
  const { seal, signing } = await sealKeys(keys, "sieben blaue L\u00e4mpchen");
  expect(await openKeys(seal, "sieben blaue La\u0308mpchen")).toEqual({ keys, signing });
  await expect(openKeys(seal, "sieben blaue Lampchen")).rejects.toThrow(/^the passphrase does not open/);
  await expect(openKeys({ ...seal, keys: Buffer.alloc(64, 3).toString("base64") }, "sieben blaue L\u00e4mpchen")).rejects.toThrow(
    /does not open/,
  );
  const { seal: other } = await sealKeys([keys[0]], "sieben blaue L\u00e4mpchen");
  expect([other.salt, other.nonce]).not.toEqual([seal.salt, seal.nonce]);
  expect((await openKeys(other, "sieben blaue L\u00e4mpchen")).keys).toEqual([keys[0]]);
});

test("a signature is of one text by one key", () => {
  const signature = signatureOf(keys[0], "what was written");
  expect(isSignedBy(keys[0], "what was written", signature)).toBe(true);
  expect(isSignedBy(keys[0], "what was writtem", signature)).toBe(false);
  expect(isSignedBy(Buffer.alloc(32, 2), "what was written", signature)).toBe(false);
  expect(isSignedBy(keys[0], "what was written", "")).toBe(false);
});
