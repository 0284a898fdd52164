import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { Refusal } from "../../contract/problems.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { networkOf } from "./network.ts";
import { takeFromCount, withinThrottle } from "./throttle.ts";
import { sha256 } from "./tokens.ts";

const quarterHour = 15 * 60;
const triesPerUser = 5;
const triesPerNetwork = 100;
const issuer = "Countinghouse";
const recoveryCount = 10;

export const twoFactorPlace = (user: string) => `users|two_factor|${user}|secret`;

/** RFC 6238 with the parameters all authenticators support: SHA-1, 6 digits, 30 s. */
export const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 });

/** 160 random bits, in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** The 30-second step of a code, at most one away from now; null for any other code. */
function stepOf(secret: string, code: string): number | null {
  const timestamp = Date.now();
  const totp = totpOf(secret, "");
  const delta = totp.validate({ token: code.replace(/\s/g, ""), timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/**
 * Uses up a step, once and only forwards; of concurrent calls the primary key lets one through. Steps too old for any code are deleted; the
 * last ten stay, because another call may just use one of them.
 */
async function spendStep(db: Scoped, user: string, step: number): Promise<boolean> {
  await sql`delete from two_factor_steps where user_id = ${user} and step < ${step - 10}`.execute(db);
  const { rows } = await sql`insert into two_factor_steps (user_id, step)
    select ${user}, ${step}::bigint where not exists (select from two_factor_steps where user_id = ${user} and step > ${step})
    on conflict do nothing returning step`.execute(db);
  return rows.length === 1;
}

/** Whether it is a valid code of the user; a code can be used once. */
export async function spendCode({ database, secrets }: Deps, user: string, code: string): Promise<boolean> {
  const row = await database.open.selectFrom("two_factor").select("secret").where("user_id", "=", user).executeTakeFirst();
  if (!row?.secret) return false;
  const step = stepOf(secrets.open(row.secret, twoFactorPlace(user)), code);
  return step !== null && spendStep(database.open, user, step);
}

const recoveryHash = (code: string) => sha256(code.toUpperCase().replace(/[^A-Z2-7]/g, ""));

/** Whether it is one of the user's unused recovery codes, which is used up by this. */
export async function spendRecoveryCode({ database }: Deps, user: string, code: string): Promise<boolean> {
  const { rows } = await sql`update recovery_codes set used_at = now()
    where user_id = ${user} and hash = ${recoveryHash(code)} and used_at is null
      and exists (select from two_factor f where f.user_id = ${user} and f.secret is not null)
    returning user_id`.execute(database.open);
  return rows.length === 1;
}

/** Ten new codes of 120 bits in groups of four; all earlier ones become void. */
export async function renewCodes(db: Scoped, user: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, () => {
    const text = new Secret({ buffer: new Uint8Array(randomBytes(15)).buffer }).base32;
    return text.match(/.{4}/g)?.join("-") ?? text;
  });
  await db.deleteFrom("recovery_codes").where("user_id", "=", user).execute();
  await db
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ user_id: user, hash: recoveryHash(code) })))
    .execute();
  return codes;
}

/** Runs an attempt at a code; a user has five failures in 15 minutes. Refuses with code.refused or login.throttled. */
export function tryCode(deps: Deps, user: string, ip: string, work: () => Promise<boolean>): Promise<void> {
  return within(deps, { [`code:${user}`]: triesPerUser, [`code:${networkOf(ip)}`]: triesPerNetwork }, work);
}

/**
 * As `tryCode` without a limit per user, because a recovery code of 120 bits cannot be guessed and must work when the attempts at codes are
 * used up.
 */
export function tryRecoveryCode(deps: Deps, ip: string, work: () => Promise<boolean>): Promise<void> {
  return within(deps, { [`code:${networkOf(ip)}`]: triesPerNetwork }, work);
}

async function within({ database }: Deps, limits: Readonly<Record<string, number>>, work: () => Promise<boolean>): Promise<void> {
  const allowed = await Promise.all(Object.entries(limits).map(([key, most]) => withinThrottle(database, key, most, quarterHour)));
  if (allowed.includes(false)) throw new Refusal("login.throttled");
  const takeBack = () => Promise.all(Object.keys(limits).map((key) => takeFromCount(database, key)));
  const isRight = await work().catch(async (error: unknown) => {
    await takeBack(); // no code was tried
    throw error;
  });
  if (!isRight) throw new Refusal("code.refused");
  await takeBack();
}

/** Turns on the pending secret when the code matches it. The used steps of the old secret are deleted. */
export async function confirmPending(db: Scoped, { secrets }: Deps, user: string, code: string): Promise<boolean> {
  const { rows } = await sql<{ pending: Buffer }>`select pending from two_factor
    where user_id = ${user} and pending_until > now() for update`.execute(db);
  const pending = rows[0]?.pending;
  if (!pending) throw new Refusal("two-factor.not-begun");
  const step = stepOf(secrets.open(pending, twoFactorPlace(user)), code);
  if (step === null) return false;
  await sql`update two_factor set secret = pending, pending = null, pending_until = null where user_id = ${user}`.execute(db);
  await sql`delete from two_factor_steps where user_id = ${user}`.execute(db);
  return spendStep(db, user, step);
}

/** Turns two-factor off; answers whether it was on. */
export async function turnOff(db: Scoped, user: string): Promise<boolean> {
  const { rows } = await sql`delete from two_factor where user_id = ${user} and secret is not null returning user_id`.execute(db);
  if (rows.length === 0) return false;
  await sql`delete from two_factor_steps where user_id = ${user}`.execute(db);
  await db.deleteFrom("recovery_codes").where("user_id", "=", user).execute();
  return true;
}
