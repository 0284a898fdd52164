import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

const bare = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "");

/** Whether it is an IP address or a network with its prefix ("10.0.0.0/8"). */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** The address in an entry of X-Forwarded-For, with or without a port; null: none. */
function addressIn(entry: string): string | null {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(entry) ?? [];
  const address = bare(inBrackets ?? beforePort ?? entry);
  return isIP(address) === 0 ? null : address;
}

/**
 * The client's address, as `request.ip` is for a call: X-Forwarded-For is read from the right for as long as the sender of an entry is a
 * trusted proxy.
 */
export function clientAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", prefix] = proxy.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return ({ socket, headers }) => {
    const entries = [headers["x-forwarded-for"] ?? []]
      .flat()
      .join(",")
      .split(",")
      .map((entry) => entry.trim())
      .filter(Boolean);
    let address = bare(socket.remoteAddress ?? "");
    while (isTrusted(address)) {
      // an entry that is no address counts as missing, and the proxy as the client
      const before = addressIn(entries.pop() ?? "");
      if (before === null) break;
      address = before;
    }
    return address;
  };
}
