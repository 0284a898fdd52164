import { z } from "zod";
import type { StoreApi } from "zustand/vanilla";
import type { ProblemCode } from "../../contract/problems.ts";
import { SessionEnd } from "../../contract/session.ts";
import { CallFailure } from "./failure.ts";
import type { TabStorage } from "./selection.ts";
import type { SessionState } from "./session.ts";

/** Why a session has ended, for the sign-in page; "over" where the server gives no reason. */
const Ending = z.union([SessionEnd, z.object({ why: z.enum(["expired", "suspended", "over"]) })]);
export type Ending = Readonly<z.infer<typeof Ending>>;

const endingByCode: Readonly<Partial<Record<ProblemCode, Ending>>> = {
  // the token cookies expire with the session after two days
  "session.missing": { why: "expired" },
  "session.expired": { why: "expired" },
  // no tenant accepts this user any more
  "tenant.invalid": { why: "suspended" },
};

/** The reason in a refusal that ends the session; null for any other failure. */
export function endingOf(error: unknown): Ending | null {
  if (!(error instanceof CallFailure) || (error.status !== 401 && error.code !== "tenant.invalid")) return null;
  const parsed = SessionEnd.safeParse(error.data);
  if (parsed.success) return parsed.data;
  return Object.entries(endingByCode).find(([code]) => code === error.code)?.[1] ?? { why: "over" };
}

/** Key in the tab's session storage. */
const key = "countinghouse.ended";

/** Keeps the reason over a reload of the sign-in page, until somebody signs in or has read it. */
export function keepEnding(store: StoreApi<SessionState>, tab: TabStorage): void {
  try {
    const kept = Ending.safeParse(JSON.parse(tab.getItem(key) ?? "null"));
    if (kept.success) store.setState({ ended: kept.data });
  } catch {
    // not JSON of ours
  }
  store.subscribe(({ ended }, before) => {
    if (ended === before.ended) return;
    try {
      if (ended === null) tab.removeItem(key);
      else tab.setItem(key, JSON.stringify(ended));
    } catch {
      // storage is full or forbidden: the page still shows the reason
    }
  });
}
