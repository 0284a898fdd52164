import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../../contract/problems.ts";

/** Argon2id, 19 MiB and 2 passes (the library's default variant). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** At most this many at once: sign-ins must not starve the operators' requests of cores. */
const atOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Refuses a password that is the e-mail, or its part before the at sign; the contract refuses short and common ones. */
export function acceptPassword(password: string, email: string): void {
  const given = password.toLowerCase();
  const whole = email.toLowerCase();
  if (given === whole || given === whole.split("@")[0]) throw new Refusal("request.invalid", { password: ["must not be the e-mail"] });
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/** Made at the start: made by the first unknown user, it would tell that they are. */
const nobodys = hashPassword("nobody's password");

/** Without a stored hash the same work is done on a stranger's, so that unknown users take as long as known ones. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await nobodys);
  const matches = await inTurn(() => verify(against, password));
  return stored !== null && matches;
}
