import type { RequestGuard } from "./guarded-request.ts";
import { guardedRequest } from "./guarded-request.ts";

/** A file as it came, or why it did not. */
export type Fetched = { readonly bytes: Buffer; readonly error: null } | { readonly bytes: null; readonly error: string };

interface FetchOptions extends RequestGuard {
  /** Bytes it may have. */
  readonly most: number;
}

/** Fetches a picture as `guardedRequest` does. Never throws: errors are in the answer. */
export async function fetchFile(target: string, { most, ...guard }: FetchOptions): Promise<Fetched> {
  const request = { method: "GET", headers: { accept: "image/*" }, body: null, most } as const;
  const { status, answer, cut, error } = await guardedRequest(target, request, guard);
  const fault = error ?? (status !== 200 ? `HTTP ${status}` : cut ? "too large" : null);
  return fault === null && answer !== null ? { bytes: answer, error: null } : { bytes: null, error: fault ?? "failed" };
}
