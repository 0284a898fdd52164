import { isIP } from "node:net";
import type { FieldLines } from "../../contract/problems.ts";
import { targetFault } from "../outbox/target.ts";
import type { TargetFault } from "../outbox/target.ts";

/** A comma-separated list as stored. */
export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** Reasons why delivery would refuse a URL, as lines of a form. */
const faultLines: Readonly<Record<TargetFault, string>> = {
  "not a URL": "Must be a URL",
  "credentials in the URL": "Must have no user name or password",
  "not a public address": "Must be a public address",
  "https only": "Must begin with https",
  "port 443 only": "Must not have a port",
};

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
  const fault = changed.callback_url ? targetFault(changed.callback_url, loopback) : null;
  if (fault !== null) lines["callback_url"] = [faultLines[fault]];
  const wrong = (changed.whitelist_ips ?? []).filter((entry) => !isNetwork(entry));
  if (wrong.length > 0) lines["whitelist_ips"] = wrong.map((entry) => `${entry} is not an IP address or network`);
  return lines;
}
