import { expect, test } from "vitest";
import { signAccess, verifyAccess } from "../../../src/server/auth/tokens.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";

const [former, present] = [secretBox(Buffer.alloc(32, 1)), secretBox(Buffer.alloc(32, 2), Buffer.alloc(32, 1))];
const [session, user] = ["0190f0a0-0000-7000-8000-000000000001", "0190f0a0-0000-7000-8000-000000000002"];

test("a token of the key before this one is good while that key is named, and no longer", async () => {
  const token = `Bearer ${await signAccess(former, session, user, null)}`;
  expect(verifyAccess(present, token)).toEqual({ session, user, isOld: false });
  expect(() => verifyAccess(secretBox(Buffer.alloc(32, 2)), token)).toThrow(expect.objectContaining({ code: "session.missing" }));
});

test("new tokens are signed with the new key alone", async () => {
  const token = `Bearer ${await signAccess(present, session, user, null)}`;
  expect(() => verifyAccess(former, token)).toThrow(expect.objectContaining({ code: "session.missing" }));
});
