import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { guardedRequest } from "../../../src/server/outbox/guarded-request.ts";
import type { Answering } from "../../support/answering.ts";
import { startAnswering } from "../../support/answering.ts";
import type { Tunnel } from "../../support/tunnel.ts";
import { startTunnel } from "../../support/tunnel.ts";

let target: Answering;
let proxy: Tunnel;
beforeAll(async () => {
  target = await startAnswering((_, response) => response.end("here"));
});
beforeEach(async () => {
  proxy = await startTunnel();
});
afterAll(() => target.stop());

/** Asks through the proxy; the name has these addresses. */
async function throughProxy(url: string, addresses: readonly string[]) {
  const request = { method: "GET", headers: {}, body: null, most: 100, proxy: `http://127.0.0.1:${proxy.port}` } as const;
  const answered = await guardedRequest(url, request, { loopback: true, resolve: async () => addresses });
  proxy.stop();
  return answered;
}

describe("through a proxy", () => {
  test.each([["10.0.0.1"], ["169.254.169.254"], ["127.0.0.1"], ["93.184.215.14", "10.0.0.1"]])(
    "a name that leads to %s is not asked for, and the proxy hears nothing of it",
    async (...addresses) => {
      const answered = await throughProxy("https://provider.example/", addresses);
      expect(answered).toMatchObject({ status: null, fault: "blocked", error: "not a public address" });
      expect(proxy.told).toEqual([]);
    },
  );

  test("a name is not told but the address that was looked at, because the proxy could find another", async () => {
    const answered = await throughProxy(`http://shop.localhost:${target.port}/`, ["127.0.0.1"]);
    expect(answered).toMatchObject({ status: 200, fault: null });
    expect(answered.answer?.toString()).toBe("here");
    expect(proxy.told).toEqual([expect.stringMatching(new RegExp(`^CONNECT 127\\.0\\.0\\.1:${target.port} `))]);
    expect(target.asked.at(-1)?.request.headers.host).toBe(`shop.localhost:${target.port}`);
  });
});
