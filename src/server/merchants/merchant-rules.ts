import { isIP } from "node:net";
import type { FieldLines } from "../../contract/problems.ts";
import { targetLine } from "../outbox/target.ts";

/** A comma-separated list as stored. */
export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

function isNetwork(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}

/** Rules that the contract's schemas cannot express. */
export function merchantFaults(
  changed: { callback_url?: string | null; whitelist_ips?: readonly string[] },
  loopback: boolean,
): FieldLines {
  const lines: FieldLines = {};
  const fault = changed.callback_url ? targetLine(changed.callback_url, loopback) : null;
  if (fault !== null) lines["callback_url"] = [fault];
  const wrong = (changed.whitelist_ips ?? []).filter((entry) => !isNetwork(entry));
  if (wrong.length > 0) lines["whitelist_ips"] = wrong.map((entry) => `${entry} is not an IP address or network`);
  return lines;
}
