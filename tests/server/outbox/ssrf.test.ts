import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { isInNetworks, isPublicAddress } from "../../../src/server/outbox/addresses.ts";
import { postCallback } from "../../../src/server/outbox/post.ts";
import { resolveName } from "../../../src/server/outbox/resolve.ts";

/** Listens where a callback must never come; counts who came. */
let listeners: Server[] = [];
let port = 0;
let connections = 0;

beforeAll(async () => {
  const listen = (host: string, on: number) =>
    new Promise<Server>((ready, failed) => {
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      server.once("error", failed);
      server.listen(on, host, () => ready(server));
    });
  const first = await listen("127.0.0.1", 0);
  port = (first.address() as AddressInfo).port;
  listeners = [first, ...(await Promise.all(["127.0.0.2", "::1"].map((host) => listen(host, port).catch(() => first))))];
});

afterAll(() => {
  for (const server of new Set(listeners)) server.close();
});

const blockedV4 = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
];
const blockedV6 = [
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::808:808",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:10::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
];

/** An IPv4 address as numbers a URL also understands: decimal, hexadecimal, octal, and shortened. */
function odd(address: string): string[] {
  const parts = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  return [
    String(whole),
    `0x${whole.toString(16)}`,
    parts.map((part) => `0x${part.toString(16)}`).join("."),
    parts.map((part) => `0${part.toString(8)}`).join("."),
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
  ];
}

function forms(): string[] {
  const hosts = [...blockedV4, ...blockedV4.flatMap(odd), ...blockedV6.map((address) => `[${address}]`)];
  return [
    ...hosts.map((host) => `https://${host}:${port}/`),
    ...hosts.slice(0, 20).map((host) => `https://${host}/`),
    ...["localhost", "LOCALHOST", "localhost.", "①②⑦.⓪.⓪.①", "127。0。0。1", "inside.example", "mixed.example", "nothing.example"].map(
      (host) => `https://${host}:${port}/`,
    ),
    `http://public.example:${port}/`,
    "http://public.example/",
    "https://public.example:8443/",
    `https://public.example:${port}/`,
    `https://user@127.0.0.1:${port}/`,
    `https://user:pass@public.example/`,
    `https://public.example@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}#@public.example/`,
    `https://127.0.0.1:${port}\\@public.example/`,
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    `data:text/plain,x`,
    `//127.0.0.1:${port}/`,
    `https:///127.0.0.1:${port}/`,
    "https://[fe80::1%25eth0]/",
    "https://",
    "not a url",
    "",
  ];
}

const names: Record<string, string[]> = {
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
  "inside.example": ["10.1.2.3"],
  "mixed.example": ["93.184.215.14", "127.0.0.1"],
  "nothing.example": [],
  "public.example": ["93.184.215.14"],
};
const resolve = async (name: string) => names[name] ?? [];

const refusals = /^(not a URL|credentials in the URL|https only|not a public address|the name has no address|port 443 only)$/;

test("none of over two hundred URL forms reaches a blocked address", async () => {
  const all = forms();
  expect(all.length).toBeGreaterThan(200);
  for (const url of all) {
    const posted = await postCallback(url, "{}", {}, { loopback: false, resolve, timeoutMs: 1_000 });
    expect({ url, ...posted }).toMatchObject({ url, status: null, error: expect.stringMatching(refusals) });
  }
  expect(connections).toBe(0);
});

test("with the development switch only loopback opens, and the rest stays closed", async () => {
  const options = { loopback: true, resolve };
  const before = connections;
  const reached = await postCallback(`http://127.0.0.1:${port}/`, "{}", {}, options);
  expect([reached.status, connections - before]).toEqual([null, 1]); // the listener hangs up without an answer
  for (const url of [
    "http://10.0.0.1/",
    "http://public.example/",
    "https://public.example:8443/",
    `http://mixed.example:${port}/`,
    "https://[::ffff:127.0.0.1]/",
  ]) {
    expect({ url, ...(await postCallback(url, "{}", {}, options)) }).toMatchObject({ url, error: expect.stringMatching(refusals) });
  }
});

test("a name is refused when any of its addresses is blocked, wherever it stands", async () => {
  for (const addresses of [
    ["93.184.215.14", "127.0.0.1"],
    ["::ffff:10.0.0.1", "93.184.215.14"],
    ["2606:4700::1111", "fe80::1"],
  ]) {
    const posted = await postCallback(
      "https://mixed.example/",
      "{}",
      {},
      { loopback: false, resolve: async () => addresses, timeoutMs: 1_000 },
    );
    expect([addresses, posted.error]).toEqual([addresses, "not a public address"]);
  }
});

test("the time-out is of the name's resolution too", async () => {
  for (const resolve of [
    // a resolver that heeds the signal, and one that does not
    (_: string, signal: AbortSignal) =>
      new Promise<string[]>((_resolved, rejected) => signal.addEventListener("abort", () => rejected(signal.reason))),
    () => new Promise<string[]>(() => undefined),
  ]) {
    const posted = await postCallback("https://public.example/", "{}", {}, { loopback: false, timeoutMs: 50, resolve });
    expect(posted).toMatchObject({ status: null, error: "timed out" });
  }
});

test("names whose name server keeps silent hold none of the process's threads, and end with their time-out", async () => {
  const silent = createSocket("udp4");
  let queries = 0;
  silent.on("message", () => (queries += 1));
  await new Promise<void>((bound) => silent.bind(0, "127.0.0.1", bound));
  const over = new AbortController();
  try {
    const servers = [`127.0.0.1:${silent.address().port}`];
    const names = Array.from({ length: 64 }, (_, n) => resolveName(`shop-${n}.example`, over.signal, servers));
    const settled = Promise.allSettled(names);
    await vi.waitFor(() => expect(queries).toBeGreaterThanOrEqual(64), { timeout: 30_000, interval: 10 });
    // what the system's own call would be listed as, on one of the few threads
    expect(process.getActiveResourcesInfo().filter((kind) => kind.startsWith("GetAddrInfo"))).toEqual([]);
    over.abort();
    // at once, and not when the resolver gives up by itself
    const reasons = (await settled).map((one) => (one.status === "rejected" ? (one.reason as { code: string }).code : one.value)); // the resolver's
    expect(reasons).toEqual(names.map(() => "ECANCELLED"));
  } finally {
    over.abort();
    silent.close();
  }
});

test("the name is resolved once: addresses it gets later are never connected to", async () => {
  const answers = [["127.0.0.1"], ["127.0.0.2"]];
  let asked = 0;
  const posted = await postCallback(
    `http://rebinding.localhost:${port}/`,
    "{}",
    {},
    {
      loopback: true,
      timeoutMs: 1_000,
      resolve: async () => answers[asked++] ?? ["127.0.0.2"],
    },
  );
  expect([asked, posted.status]).toEqual([1, null]);
});

describe("an address", () => {
  test("of the public internet is let through", () => {
    expect(
      ["8.8.8.8", "93.184.215.14", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"].filter(
        (address) => !isPublicAddress(address),
      ),
    ).toEqual([]);
  });

  test("matches the allow-list by itself or its network, however it is written", () => {
    expect(isInNetworks("203.0.113.9", ["203.0.113.0/24"])).toBe(true);
    expect(isInNetworks("::ffff:203.0.113.9", ["203.0.113.9"])).toBe(true);
    expect(isInNetworks("2001:db8::5", ["2001:db8::/32"])).toBe(true);
    expect(isInNetworks("203.0.114.9", ["203.0.113.0/24"])).toBe(false);
    expect(
      ["203.0.113.0/33", "203.0.113.0/", "203.0.113.0/24/1", "0/0", "::/129", "*", ""].filter((broken) =>
        isInNetworks("203.0.113.9", [broken]),
      ),
    ).toEqual([]);
  });
});
