import type { ProblemCode } from "../../contract/problems.ts";
import { SessionEnd } from "../../contract/session.ts";
import { CallFailure } from "./failure.ts";

/** Why nobody is signed in any more, for whoever comes back; "over" where the server tells no more than that. */
export type Ending = SessionEnd | { readonly why: "expired" | "suspended" | "over" };

const untold: Readonly<Partial<Record<ProblemCode, Ending>>> = {
  // the cookies with the tokens go with their session's two days
  "session.missing": { why: "expired" },
  "session.expired": { why: "expired" },
  // no tenant takes them in, named or not
  "tenant.invalid": { why: "suspended" },
};

/** What a refusal that ends a session says of it; null for any other failure. */
export function endingOf(error: unknown): Ending | null {
  if (!(error instanceof CallFailure) || (error.status !== 401 && error.code !== "tenant.invalid")) return null;
  const told = SessionEnd.safeParse(error.data);
  if (told.success) return told.data;
  return Object.entries(untold).find(([code]) => code === error.code)?.[1] ?? { why: "over" };
}
