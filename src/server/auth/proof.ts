import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import { proofMinutes } from "../../contract/session.ts";
import type { Proof } from "../../contract/session.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { guess } from "./guesses.ts";
import { passwordMatches } from "./passwords.ts";
import { spendCode, tryCode } from "./two-factor.ts";

const tries = 10;

/**
 * Verifies the caller's password and answers the hash it has matched. Refuses with password.wrong, after ten failures in 15 minutes with
 * login.throttled.
 */
export async function requirePassword({ deps, caller, gone }: StaffCall, password: string): Promise<string> {
  const { database } = deps;
  const limits = { [`password:${caller.id}`]: tries };
  const right = await guess(database, { waiter: { lane: "known", gone }, limits }, async () => {
    const user = await database.open.selectFrom("users").select("password_hash").where("id", "=", caller.id).executeTakeFirst();
    const hash = user?.password_hash ?? null;
    return (await passwordMatches(hash, password)) ? hash : null;
  });
  if (right === null) throw new Refusal("password.wrong");
  return right;
}

/** Verifies the caller's password, or a code of their authenticator. */
export async function requireProof(call: StaffCall, { password, code }: Proof): Promise<void> {
  if (password !== undefined) await requirePassword(call, password);
  else await tryCode(call.deps, call.caller.id, call.ip, () => spendCode(call.deps, call.caller.id, code ?? ""));
}

/** Opens routes with `stepUp` to the caller's session. */
export async function markProved(db: Scoped, { caller }: StaffCall): Promise<void> {
  await sql`update sessions set proved_at = clock_timestamp() where id = ${caller.session}`.execute(db);
}

/**
 * Step-up for acts that need it only sometimes; a route that always needs it declares `stepUp`. Refuses with step-up.required when the
 * caller's last proof is older than 10 minutes.
 */
export async function requireStepUp(db: Scoped, { caller }: StaffCall): Promise<void> {
  const { rows } = await sql`select id from sessions where id = ${caller.session}
    and proved_at > clock_timestamp() - make_interval(mins => ${proofMinutes})`.execute(db);
  if (rows.length === 0) throw new Refusal("step-up.required");
}
