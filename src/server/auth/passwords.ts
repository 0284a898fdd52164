import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../../contract/problems.ts";
import { createGate } from "./gate.ts";
import type { Waiter } from "./gate.ts";

/** Argon2id, 19 MiB and 2 passes (the library's default variant). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Every Argon2 of this process. Two at once, because sign-ins must not starve the operators' requests of cores; as many may wait as
 * are served within a few seconds.
 */
export const passwordGate = createGate({ atOnce: 2, places: { stranger: 100, known: 50 } });

/** Refuses a password that is the e-mail, or its part before the at sign; the contract refuses short and common ones. */
export function acceptPassword(password: string, email: string): void {
  const given = password.toLowerCase();
  const whole = email.toLowerCase();
  if (given === whole || given === whole.split("@")[0]) throw new Refusal("request.invalid", { password: ["Must not be the e-mail"] });
}

/** Commands, which nobody waits beside, leave out who waits. */
export function hashPassword(password: string, waiter: Waiter = { lane: "known" }): Promise<string> {
  return passwordGate.run(waiter, () => hash(password, cost));
}

/** Made at the start: made by the first unknown user, it would tell that they are. */
const nobodys = hashPassword("nobody's password");

/**
 * In a turn of the gate only (guesses.ts). Without a stored hash the same work is done on a stranger's, so that unknown users take as
 * long as known ones.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodys), password);
  return stored !== null && matches;
}
