import type { RequestGuard } from "./guarded-request.ts";
import { guardedRequest } from "./guarded-request.ts";

export { timedOut } from "./guarded-request.ts";

/** The result of an attempt. `status` null: no answer, for the reason in `error`. */
export interface Posted {
  readonly status: number | null;
  readonly milliseconds: number;
  /** The first 2 kB. */
  readonly answer: string | null;
  readonly error: string | null;
}

const storedBytes = 2_048;

/** Posts a callback as `guardedRequest` does. Never throws: errors are in the answer. */
export async function postCallback(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  guard: RequestGuard,
): Promise<Posted> {
  const request = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body, most: storedBytes } as const;
  const { status, milliseconds, answer, error } = await guardedRequest(target, request, guard);
  return { status, milliseconds, answer: answer && answer.toString("utf8").replaceAll("\0", ""), error };
}
