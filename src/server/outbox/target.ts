import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";

/** A URL's host as resolvers and sockets need it: without IPv6 brackets and without a final dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** Names that always mean this machine (RFC 6761), whatever a resolver answers. */
export const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

type TargetFault = "not a URL" | "credentials in the URL" | "https only" | "port 443 only" | "not a public address";

/**
 * Why a callback can never go there, checked before the name is resolved; null: it may. `loopback`: the tenant's development setting, which
 * allows http and any port on this machine. Such a URL can neither be saved nor sent to.
 */
export function targetFault(text: string, loopback: boolean): TargetFault | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return "not a URL";
  if (url.username !== "" || url.password !== "") return "credentials in the URL";
  const host = hostOf(url);
  if (loopback && (isLocalName(host) || isLoopbackAddress(host)) && /^https?:$/.test(url.protocol)) return null;
  if (isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host))) return "not a public address";
  if (url.protocol !== "https:") return "https only";
  return url.port === "" ? null : "port 443 only";
}

/** The faults as lines of a form. */
const faultLines: Readonly<Record<TargetFault, string>> = {
  "not a URL": "Must be a URL",
  "credentials in the URL": "Must have no user name or password",
  "not a public address": "Must be a public address",
  "https only": "Must begin with https",
  "port 443 only": "Must not have a port",
};

/** The same as `targetFault`, as a form says it. */
export function targetLine(text: string, loopback: boolean): string | null {
  const fault = targetFault(text, loopback);
  return fault === null ? null : faultLines[fault];
}
