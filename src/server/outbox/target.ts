import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./addresses.ts";

/** The host of a URL as a resolver or a socket takes it: without the brackets of IPv6 and the root's dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** Names that are this machine's by definition (RFC 6761), whatever a resolver says of them. */
export const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

export type TargetFault = "not a URL" | "credentials in the URL" | "https only" | "port 443 only" | "not a public address";

/**
 * Why no callback could ever go there, before its name is resolved; null when one may. `loopback`: the tenant's development switch,
 * which opens http and any port to this machine. What this refuses is neither saved nor sent to.
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
