import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { merchantRoutes, oldSignaturesUntil } from "../../src/contract/merchant-api.ts";
import { problems } from "../../src/contract/problems.ts";
import { isSigned, refusalsOf } from "../../src/contract/route.ts";
import type { Route } from "../../src/contract/route.ts";
import { testDatabase } from "../support/database.ts";
import { makeTenant } from "../support/factories.ts";
import { routeNames, routeOf, serve } from "../support/http.ts";
import type { Served } from "../support/http.ts";
import { makeSigningMerchant } from "../support/merchants.ts";

const db = testDatabase();
let served: Served;
let guide: string;
beforeAll(async () => {
  served = await serve(db, { requestsPerMinute: 4_321 });
  guide = (await served.app.inject("/docs")).body;
});
afterAll(() => served.app.close());
afterEach(() => vi.useRealTimers());

interface Document {
  info: { description: string };
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
}

const plain = (html: string) => html.replace(/<[^>]*>/g, "").replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
/** What a reader copies out of a block of the page. */
const blockOf = (id: string) => plain(new RegExp(`<pre[^>]*id="${id}">(.*?)</pre>`, "s").exec(guide)?.[1] ?? "");
const headersOf = (id: string) =>
  Object.fromEntries(
    blockOf(id)
      .split("\n")
      .map((line) => line.split(": ") as [string, string]),
  ); // name: value

test("OpenAPI names the 401 codes a route answers with: a merchant's are of its signature, staff's of their session, the public's its own", async () => {
  const { paths } = (await served.app.inject("/docs/openapi.json")).json<Document>();
  const codesOf = (name: (typeof routeNames)[number]) => {
    const { path, method } = routeOf(name);
    const text = paths[path]?.[method.toLowerCase()]?.responses["401"]?.description ?? "";
    return text.split("\n").flatMap((line) => (line === "" ? [] : [line.split(":")[0]]));
  };
  const sessionCodes = ["session.missing", "session.expired", "session.ended", "session.unbound"];
  const signatureCodes = ["missing", "invalid", "milliseconds", "upper-case", "base64", "stale", "replayed"].map(
    (one) => `signature.${one}`,
  );
  const wanted = (name: (typeof routeNames)[number]) => {
    const { permission, refuses = [] } = routeOf(name);
    if (isSigned({ permission })) return signatureCodes;
    return permission === "public" ? refuses.filter((code) => problems[code] === 401) : sessionCodes;
  };
  expect(routeNames.map((name) => [name, codesOf(name)])).toEqual(routeNames.map((name) => [name, wanted(name)]));
});

test("the documents say how a merchant signs, until when the old ways are taken, and how long a key is remembered", async () => {
  const { info } = (await served.app.inject("/docs/openapi.json")).json<Document>();
  const all = (await served.app.inject("/docs/all")).body;
  for (const text of [info.description, all]) expect(text).toContain("the Idempotency-Key");
  for (const text of [info.description, all, guide]) expect(text).toContain(`Until ${oldSignaturesUntil}`);
  expect(all).toContain("for 24 hours the same key gives the same answer and one effect");
  expect(plain(guide)).toContain("For 24 hours the same key");
});

test("the worked example is right: each number follows from the ones before it", () => {
  const key = Buffer.from(blockOf("worked-secret").replace("whsec_", ""), "base64");
  expect(blockOf("worked-key")).toBe(key.toString("hex"));
  expect(key).toHaveLength(32);
  const signed = blockOf("worked-signed");
  const headers = headersOf("worked-headers");
  expect(headers["x-signature"]).toBe(`v2=${createHmac("sha256", key).update(signed).digest("hex")}`);
  const [version, timestamp, method, path, idempotencyKey, ...body] = signed.split("\n");
  expect([version, timestamp, method, path, idempotencyKey]).toEqual([
    "v2",
    headers["x-timestamp"],
    "POST",
    merchantRoutes.createDeposit.path,
    headers["idempotency-key"],
  ]);
  expect(merchantRoutes.createDeposit.body.safeParse(JSON.parse(body.join("\n"))).success).toBe(true);
});

test("the callback of the worked example is verified by the kept library, and not once its body is changed", () => {
  const [headers, body] = [headersOf("worked-callback-headers"), blockOf("worked-callback-body")];
  vi.useFakeTimers({ toFake: ["Date"], now: Number(headers["webhook-timestamp"]) * 1000 });
  const webhook = new Webhook(blockOf("worked-secret"));
  expect(webhook.verify(body, headers)).toMatchObject({ type: "test" });
  expect(() => webhook.verify(body.replace("test", "tost"), headers)).toThrow();
});

test("every call of the merchant API stands in the guide with its fields, and every refusal with status, meaning and remedy", () => {
  const text = plain(guide);
  for (const [name, route] of Object.entries<Route>(merchantRoutes)) {
    expect(guide).toContain(`<h3 id="${name}">`);
    const paragraph = new RegExp(`<h3 id="${name}">.*?</h3>\\s*<p>\\S`, "s");
    expect([name, paragraph.test(guide)]).toEqual([name, true]);
    for (const field of Object.keys({ ...route.query?.shape })) expect(text).toContain(field);
  }
  const rows = [...guide.matchAll(/<tr><td>(\d{3})<\/td><td><code>([^<]+)<\/code><\/td><td>([^<]+)<\/td><td>(.*?)<\/td><\/tr>/g)];
  const told = Object.fromEntries(rows.map(([, status, code = "", meaning, remedy]) => [code, { status, meaning, remedy }]));
  const codes = new Set(Object.values<Route>(merchantRoutes).flatMap((route) => refusalsOf(route)));
  expect(Object.keys(told).toSorted()).toEqual([...codes].toSorted());
  for (const code of codes) {
    expect([code, told[code]?.status]).toEqual([code, String(problems[code])]);
    expect([code, (told[code]?.remedy ?? "").length > 10]).toEqual([code, true]);
  }
});

test("every field a merchant sends or reads has its meaning", () => {
  const rows = [...guide.matchAll(/<tr><td><code>([\w.[\]]+)<\/code><\/td><td>[^<]*<\/td><td>(?:yes|no)<\/td><td>(.*?)<\/td>/g)];
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter(([, , meaning]) => meaning === "").map(([, field]) => field)).toEqual([]);
});

test("the limits told are those of this server", () => {
  expect(plain(guide)).toContain("A key may send 4321 requests in each minute");
});

test("the pages need no inline script or style, and every link within one leads somewhere", async () => {
  for (const path of ["/docs", "/docs/all"]) {
    const { body } = await served.app.inject(path);
    expect(body).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/);
    const ids = new Set([...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    expect([...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id))).toEqual([]);
    for (const [, file = ""] of body.matchAll(/(?:href|src)="(\/docs\/[^"#]+)"/g)) {
      expect([file, (await served.app.inject(file)).statusCode]).toEqual([file, 200]);
    }
  }
  expect((await served.app.inject("/docs/try.js")).headers["content-type"]).toContain("javascript");
});

test("credentials to try with are shown with demo data only, and only of a merchant whose callbacks stay on the machine", async () => {
  const tenant = await makeTenant(db);
  await makeSigningMerchant(db, served.deps, tenant, { callback_url: "https://merchant.example/callback" });
  const demo = await serve(db, { environment: { DEMO: "true" } });
  try {
    expect((await demo.app.inject("/docs")).body).not.toContain("try-form");
    const own = await makeSigningMerchant(db, served.deps, tenant, { callback_url: "http://127.0.0.1:9/callbacks/m" });
    const [shown, hidden] = [(await demo.app.inject("/docs")).body, (await served.app.inject("/docs")).body];
    expect(shown).toContain(`data-key="${own.apiKey}" data-secret="${own.secret}"`);
    expect(hidden).not.toContain("try-form");
    for (const text of [guide, hidden]) expect(text).not.toContain(own.secret);
  } finally {
    await demo.app.close();
  }
});
