import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { twoFactorPlace } from "../../src/server/auth/two-factor.ts";
import { sha256 } from "../../src/server/auth/tokens.ts";
import type { Deps } from "../../src/server/call.ts";
import type { TestDatabase } from "./database.ts";

const token = () => randomBytes(32).toString("base64url");

/** An authenticator's code; `steps` of 30 s from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** A secret on trial, as beginTwoFactor leaves it. */
export async function beginTwoFactor({ owner }: TestDatabase, { secrets }: Deps, user: string): Promise<string> {
  const secret = new Secret({ size: 20 }).base32;
  await owner.query(
    `insert into two_factor (user_id, pending, pending_until) values ($1, $2, now() + interval '10 minutes')
     on conflict (user_id) do update set pending = excluded.pending, pending_until = excluded.pending_until`,
    [user, secrets.seal(secret, twoFactorPlace(user))],
  );
  return secret;
}

/** Turns two-factor on without a code spent; answers the secret. */
export async function enableTwoFactor({ owner }: TestDatabase, { secrets }: Deps, user: string): Promise<string> {
  const secret = new Secret({ size: 20 }).base32;
  await owner.query(
    "insert into two_factor (user_id, secret) values ($1, $2) on conflict (user_id) do update set secret = excluded.secret",
    [user, secrets.seal(secret, twoFactorPlace(user))],
  );
  await owner.query("delete from two_factor_steps where user_id = $1", [user]);
  return secret;
}

/** A sign-in whose password was right. */
export async function putChallenge({ owner }: TestDatabase, user: string): Promise<string> {
  const challenge = token();
  await owner.query("insert into sign_in_challenges (hash, user_id, expires_at) values ($1, $2, now() + interval '5 minutes')", [
    sha256(challenge),
    user,
  ]);
  return challenge;
}

/** What a mailed link to a new password holds. */
export async function linkFor({ owner }: TestDatabase, user: string): Promise<{ token: string; email: string }> {
  const link = token();
  await owner.query("insert into password_resets (hash, user_id, expires_at) values ($1, $2, now() + interval '60 minutes')", [
    sha256(link),
    user,
  ]);
  const { rows } = await owner.query<{ email: string }>("select email from users where id = $1", [user]);
  return { token: link, email: rows[0]?.email ?? "" };
}
