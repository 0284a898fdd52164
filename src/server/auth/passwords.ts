import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../../contract/problems.ts";
import { createGate } from "./gate.ts";
import type { Waiter } from "./gate.ts";

/** Argon2id, 19 MiB and 2 passes (the library's default variant). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The gate of all Argon2 hashes of this process. Two at once, because sign-ins must not take all cores from the operators' requests; no
 * more may wait than are served within a few seconds.
 */
export const passwordGate = createGate({ atOnce: 2, places: { stranger: 100, known: 50 } });

/** Refuses a password equal to the e-mail or its local part; the contract refuses short and common ones. */
export function acceptPassword(password: string, email: string): void {
  const given = password.toLowerCase();
  const whole = email.toLowerCase();
  if (given === whole || given === whole.split("@")[0]) throw new Refusal("request.invalid", { password: ["Must not be the e-mail"] });
}

/** Commands omit `waiter`, because nothing else waits. */
export function hashPassword(password: string, waiter: Waiter = { lane: "known" }): Promise<string> {
  return passwordGate.run(waiter, () => hash(password, cost));
}

/** Hashed at the start: hashing it at the first unknown user would make that answer slower and so reveal it. */
const unknownUserHash = hashPassword("nobody's password");

/**
 * Call it in a turn of the gate only (guesses.ts). Without a stored hash it verifies against a dummy one, so that unknown users take as
 * long as known ones.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await unknownUserHash), password);
  return stored !== null && matches;
}
