import { BlockList, isIP, isIPv4 } from "node:net";

/** IPv4 networks that are not the public internet (IANA special-purpose registries); callbacks must not go there. */
const v4 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  v4.addSubnet(network, prefix, "ipv4");
}

/** In IPv6 only global unicast is public, except networks that wrap IPv4 addresses (6to4, Teredo) or are reserved. */
const v6Global = new BlockList();
v6Global.addSubnet("2000::", 3, "ipv6");
const v6 = new BlockList();
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const) {
  v6.addSubnet(network, prefix, "ipv6");
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether an address is on the public internet; IPv4-mapped, NAT64 and other wrapped addresses are not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !v4.check(address, "ipv4");
  // a mapped address would match IPv4 rules; none is global unicast
  return isIP(address) === 6 && v6Global.check(address, "ipv6") && !v6.check(address, "ipv6");
}

/** 127.0.0.0/8 or ::1, unwrapped. */
export function isLoopbackAddress(address: string): boolean {
  return isIPv4(address) ? loopback.check(address, "ipv4") : address === "::1";
}

/** Whether the address matches an allow-list of addresses and networks ("203.0.113.0/24"); other entries match nothing. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const plain = address.startsWith("::ffff:") && isIPv4(address.slice(7)) ? address.slice(7) : address;
  const family = isIP(plain);
  if (family === 0) return false;
  return networks.some((entry) => {
    const [network = "", bits, ...rest] = entry.trim().split("/");
    if (rest.length > 0 || isIP(network) !== family) return false;
    const most = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (prefix < 0 || prefix > most) return false;
    const list = new BlockList();
    list.addSubnet(network, prefix, family === 4 ? "ipv4" : "ipv6");
    return list.check(plain, family === 4 ? "ipv4" : "ipv6");
  });
}
