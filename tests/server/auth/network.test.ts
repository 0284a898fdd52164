import { expect, test } from "vitest";
import { networkOf } from "../../../src/server/auth/network.ts";

test.each([
  ["203.0.113.8", "203.0.113.8"],
  ["::ffff:203.0.113.8", "203.0.113.8"],
  ["::FFFF:cb00:7108", "203.0.113.8"],
  ["2001:db8:0:9::1", "2001:db8:0:9::/64"],
  ["2001:0DB8:0000:0009:ffff:ffff:ffff:ffff", "2001:db8:0:9::/64"],
  ["2001:db8::9:0:0:0:1", "2001:db8:0:9::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4::/64"],
  ["1::", "1:0:0:0::/64"],
])("%s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
