import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

const bare = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "");

/** Whether it is an IP address, or a network written with its prefix ("10.0.0.0/8"). */
export function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** The address an entry of X-Forwarded-For names, with or without a port; null where it is none. */
function addressIn(entry: string): string | null {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(entry) ?? [];
  const address = bare(inBrackets ?? beforePort ?? entry);
  return isIP(address) === 0 ? null : address;
}

/**
 * Who opened a socket, as `request.ip` is for a call: read from the right of X-Forwarded-For as long as the one who says it is
 * a proxy that is believed.
 */
export function clientAddress(proxies: readonly string[]): (request: IncomingMessage) => string {
  const believed = new BlockList();
  for (const proxy of proxies) {
    const [address = "", prefix] = proxy.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) believed.addAddress(address, family);
    else believed.addSubnet(address, Number(prefix), family);
  }
  const isBelieved = (address: string) => isIP(address) !== 0 && believed.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return ({ socket, headers }) => {
    const said = [headers["x-forwarded-for"] ?? []]
      .flat()
      .join(",")
      .split(",")
      .map((entry) => entry.trim())
      .filter(Boolean);
    let address = bare(socket.remoteAddress ?? "");
    while (isBelieved(address)) {
      // what is no address says nothing: then it is the proxy that asks
      const before = addressIn(said.pop() ?? "");
      if (before === null) break;
      address = before;
    }
    return address;
  };
}
