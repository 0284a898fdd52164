import { isIP } from "node:net";
import type { FieldLines } from "../../contract/problems.ts";
import { isLoopbackAddress, isPublicAddress } from "../outbox/addresses.ts";

/** A comma list as it is kept. */
export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** Why no callback could ever go there, as outbox/post.ts judges before it asks a resolver; null when one may. */
function callbackFault(text: string, loopbackAllowed: boolean): string | null {
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must have no user name or password";
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const local = isLoopbackAddress(host) || host === "localhost" || host.endsWith(".localhost");
  if (local) return loopbackAllowed ? null : "must be a public address";
  if (isIP(host) !== 0 && !isPublicAddress(host)) return "must be a public address";
  // while the development switch is on, a name may turn out to be of this machine
  if (loopbackAllowed && isIP(host) === 0) return null;
  if (url.protocol !== "https:") return "must begin with https";
  return url.port === "" ? null : "must have no port";
}

function isNetwork(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}

/** What the contract's shapes let through and no merchant may have. */
export function merchantFaults(
  changed: { callback_url?: string | null; whitelist_ips?: readonly string[] },
  loopback: boolean,
): FieldLines {
  const lines: FieldLines = {};
  const fault = changed.callback_url ? callbackFault(changed.callback_url, loopback) : null;
  if (fault !== null) lines["callback_url"] = [fault];
  const wrong = (changed.whitelist_ips ?? []).filter((entry) => !isNetwork(entry));
  if (wrong.length > 0) lines["whitelist_ips"] = wrong.map((entry) => `${entry} is no IP address or network`);
  return lines;
}
