import { isIPv6 } from "node:net";

/**
 * The unit throttles count by: an IPv4 address, or the /64 network of an IPv6 address, because one subscriber has all of it. An IPv4-mapped
 * IPv6 address counts as the IPv4 one.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, "");
  if (!isIPv6(plain)) return plain;
  // normalised: lower-case groups without leading zeros, the longest run of zeros as "::"
  const [head = "", tail = ""] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const [first, last] = [head, tail].map((part) => (part === "" ? [] : part.split(":"))) as [string[], string[]]; // two parts give two
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => "0"), ...last];
  if (groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff") {
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".");
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}
