import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckFailure, CheckSettings } from "../../../src/contract/provider-checks.ts";
import { Credentials, checkFailures, checkFields } from "../../../src/contract/provider-checks.ts";
import { httpAdapter } from "../../../src/server/game-provider/http-adapter.ts";
import { mask } from "../../../src/server/game-provider/templates.ts";
import type { Answering } from "../../support/answering.ts";
import { startAnswering } from "../../support/answering.ts";
import { checkSettings } from "../../support/master-accounts.ts";
import type { Tunnel } from "../../support/tunnel.ts";
import { startTunnel } from "../../support/tunnel.ts";

const key = 'k"ey/with +odd&signs=';
const credentials = { key, agent: { id: "MHP 7" } };
const ringgit = { code: "MYR", minorDigits: 2 };
let provider: Answering;
beforeAll(async () => {
  provider = await startAnswering();
});
afterAll(() => provider.stop());

const guard = { loopback: true };
const check = (more: Partial<CheckSettings> = {}, currency = ringgit, url = `${provider.url}/credit`) =>
  httpAdapter.checkCredit(credentials, checkSettings(url, { timeout_seconds: 1, ...more }), currency, guard);
/** Answers this text to each request. */
function answers(body: string | Buffer, status = 200, headers: Readonly<Record<string, string>> = {}): void {
  provider.answer = (_, response) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}
const whole = (data: object, more: object = {}) =>
  JSON.stringify({ status: "OK", data: { currency: "MYR", credit: true, balance: "1200.50", ...data }, ...more });

describe("an answer as it should be", () => {
  test.each<[string, object, string, boolean]>([
    ["a text", { balance: "1200.50" }, "1200.50", true],
    ["a number", { balance: 1200.5 }, "1200.50", true],
    ["none at all", { balance: 0, credit: false }, "0.00", false],
    ["below zero", { balance: "-3.2", credit: 0 }, "-3.20", false],
    ["finer than the currency: what is finer cannot be spent", { balance: "7.999999" }, "7.99", true],
    ["more digits than a float has", { balance: "12345678901234.56" }, "12345678901234.56", true],
    ["a flag in words", { credit: "N" }, "1200.50", false],
  ])("is read: %s", async (_, data, balance, has_credit) => {
    answers(whole(data));
    expect(await check()).toMatchObject({ failure: null, balance, has_credit, http_status: 200 });
  });

  test("keeps the digits of a long number, which a float would not", async () => {
    answers('{"data":{"currency":"MYR","credit":true,"balance":12345678901234.56}}');
    expect(await check()).toMatchObject({ balance: "12345678901234.56" });
  });

  test("has credit without a flag while the balance is above zero", async () => {
    answers(whole({ credit: "?" }));
    expect(await check({ credit_pointer: "" })).toMatchObject({ failure: null, has_credit: true });
    answers(whole({ balance: "0.00" }));
    expect(await check({ credit_pointer: "" })).toMatchObject({ failure: null, has_credit: false });
  });

  test("counts only with its success rule, where there is one", async () => {
    answers(whole({}));
    expect(await check({ success_pointer: "/status", success_value: "OK" })).toMatchObject({ failure: null });
    expect(await check({ success_pointer: "/status", success_value: "ok" })).toMatchObject({ failure: "refused", about: "OK" });
  });

  test("is cut to the decimals of a currency without any", async () => {
    answers(whole({ balance: "1200.9", currency: "VND" }));
    expect(await check({}, { code: "VND", minorDigits: 0 })).toMatchObject({ balance: "1200.00" });
  });
});

describe("a request", () => {
  test("has the credentials filled in where each belongs, and shows none of them", async () => {
    answers(whole({}));
    const asked = await check(
      { check_method: "POST", check_body: '{"agent":"{{agent.id}}","key":"{{key}}"}' },
      ringgit,
      `${provider.url}/credit/{{agent.id}}?key={{ key }}`,
    );
    const { request, body } = provider.asked.at(-1)!;
    expect(request.url).toBe(`/credit/MHP%207?key=${encodeURIComponent(key)}`);
    expect(request.headers).toMatchObject({ "x-api-key": key, "content-type": "application/json", accept: "application/json" });
    expect(JSON.parse(body)).toEqual({ agent: "MHP 7", key });
    expect(asked.request).toEqual({
      method: "POST",
      url: `${provider.url}/credit/${mask}?key=${mask}`,
      headers: [
        { name: "Accept", value: "application/json" },
        { name: "Content-Type", value: "application/json" },
        { name: "X-Api-Key", value: mask },
      ],
      body: `{"agent":"${mask}","key":"${mask}"}`,
    });
  });

  test("is a form where its header says so", async () => {
    answers(whole({}));
    const header = { name: "Content-Type", value: "application/x-www-form-urlencoded" };
    await check({ check_method: "POST", check_headers: [header], check_body: "key={{key}}" });
    expect(provider.asked.at(-1)?.body).toBe(`key=${encodeURIComponent(key)}`);
  });

  test("is not sent when a credential is missing", async () => {
    const before = provider.asked.length;
    expect(await check({ check_headers: [{ name: "X-Api-Key", value: "{{token}}" }] })).toMatchObject({
      failure: "no-credential",
      about: "token",
      request: null,
    });
    expect(provider.asked.length).toBe(before);
  });
});

/** What the provider does, how it is asked, and what the check then says. */
const wrong: readonly [
  title: string,
  prepare: () => void,
  asked: () => ReturnType<typeof check>,
  failure: CheckFailure,
  about: string | null,
][] = [
  ["500", () => answers("{}", 500), check, "http-status", "500"],
  ["404", () => answers("{}", 404), check, "http-status", "404"],
  ["401", () => answers(whole({}), 401), check, "http-status", "401"],
  ["429", () => answers(whole({}), 429), check, "http-status", "429"],
  ["a redirect", () => answers("", 302, { location: "http://169.254.169.254/" }), check, "redirect", "302"],
  ["a redirect to itself", () => answers("", 307, { location: "/credit" }), check, "redirect", "307"],
  ["not modified", () => answers("", 304), check, "redirect", "304"],
  ["no answer in time", () => (provider.answer = () => undefined), check, "timed-out", null],
  [
    "half an answer, and then nothing",
    () => (provider.answer = (_, response) => void response.writeHead(200).write('{"data":')),
    check,
    "timed-out",
    null,
  ],
  ["a cut connection", () => (provider.answer = (request) => request.socket.destroy()), check, "unreachable", "socket hang up"],
  [
    "a connection cut within the answer",
    () =>
      (provider.answer = (request, response) => {
        response.writeHead(200, { "content-length": "500" }).write("{");
        setImmediate(() => request.socket.destroy());
      }),
    check,
    "unreachable",
    "the answer was cut off",
  ],
  [
    "an answer that is none of HTTP",
    () => (provider.answer = (request) => request.socket.end("no\r\n\r\n")),
    check,
    "unreachable",
    "Parse Error: Expected HTTP/, RTSP/ or ICE/",
  ],
  ["no server", () => undefined, () => check({}, ringgit, "http://127.0.0.1:1/credit"), "unreachable", "connect ECONNREFUSED 127.0.0.1:1"],
  ["an empty answer", () => answers(""), check, "not-json", null],
  ["a page", () => answers("<!doctype html><title>Sign in</title>"), check, "not-json", null],
  ["JSON that ends too early", () => answers(whole({}).slice(0, -4)), check, "not-json", null],
  ["bytes that are no text", () => answers(Buffer.from([0, 255, 254, 1])), check, "not-json", null],
  ["JSON of another encoding", () => answers(Buffer.from(whole({}), "utf16le")), check, "not-json", null],
  ["a packed answer nobody asked for", () => answers(gzipSync(whole({})), 200, { "content-encoding": "gzip" }), check, "encoded", "gzip"],
  ["an answer without end", () => answers(`{"x":"${"y".repeat(400_000)}"}`), check, "too-large", null],
  ["another shape", () => answers('{"result":1200.5}'), check, "no-currency", "/data/currency"],
  ["a list", () => answers("[1,2,3]"), check, "no-currency", "/data/currency"],
  ["a bare number", () => answers("1200.5"), check, "no-currency", "/data/currency"],
  ["null", () => answers("null"), check, "no-currency", "/data/currency"],
  ["data that is null", () => answers('{"data":null}'), check, "no-currency", "/data/currency"],
  ["another currency", () => answers(whole({ currency: "USD" })), check, "wrong-currency", "USD"],
  ["no balance", () => answers(whole({ balance: null })), check, "no-balance", "/data/balance"],
  ["an empty balance", () => answers(whole({ balance: "" })), check, "no-balance", "/data/balance"],
  ["a grouped balance", () => answers(whole({ balance: "1,200.50" })), check, "not-amount", "/data/balance"],
  ["a balance in words", () => answers(whole({ balance: "plenty" })), check, "not-amount", "/data/balance"],
  ["not a number", () => answers(whole({ balance: "NaN" })), check, "not-amount", "/data/balance"],
  ["a balance of another kind", () => answers(whole({ balance: { amount: 1 } })), check, "not-amount", "/data/balance"],
  ["a truth value as balance", () => answers(whole({ balance: true })), check, "not-amount", "/data/balance"],
  [
    "a balance with an exponent",
    () => answers('{"data":{"currency":"MYR","credit":true,"balance":1e300}}'),
    check,
    "not-amount",
    "/data/balance",
  ],
  ["a balance beyond every column", () => answers(whole({ balance: "999999999999999" })), check, "not-amount", "/data/balance"],
  ["what every object inherits", () => answers(whole({})), () => check({ balance_pointer: "/constructor" }), "no-balance", "/constructor"],
  ["no flag", () => answers(whole({ credit: null })), check, "no-credit-flag", "/data/credit"],
  ["a flag that is neither", () => answers(whole({ credit: "maybe" })), check, "not-flag", "/data/credit"],
  [
    "a refusal with status 200",
    () => answers(whole({}, { status: "BLOCKED" })),
    () => check({ success_pointer: "/status", success_value: "OK" }),
    "refused",
    "BLOCKED",
  ],
  [
    "no word of success",
    () => answers('{"data":{}}'),
    () => check({ success_pointer: "/status", success_value: "OK" }),
    "refused",
    "/status",
  ],
];

describe("a wrong answer is a failure with its reason, and never an error", () => {
  test("of at least thirty kinds", () => expect(wrong.length).toBeGreaterThanOrEqual(30));

  test.each(wrong)("%s", async (_, prepare, asked, failure, about) => {
    prepare();
    const found = await asked();
    expect(found).toMatchObject({ failure, about, balance: null, has_credit: null });
    expect(checkFailures).toContain(found.failure);
  });
});

describe("no secret is in what a check answers", () => {
  const echoes: readonly [string, () => string][] = [
    ["as it is", () => key],
    ["in JSON", () => JSON.stringify(key)],
    ["in a URL", () => encodeURIComponent(key)],
    ["in base64", () => Buffer.from(key).toString("base64")],
    ["with escaped slashes", () => JSON.stringify(key).replaceAll("/", "\\/")],
  ];
  test.each(echoes)("when the provider answers it %s", async (_, echo) => {
    answers(`{"status":"no such key: ${echo()} ${echo()}"`, 403);
    const found = await check();
    expect(found.failure).toBe("http-status");
    for (const [, form] of echoes) expect(JSON.stringify(found)).not.toContain(JSON.stringify(form()).slice(1, -1));
    expect(found.answer).toContain(mask);
  });

  test("when the reason quotes it, nor a part of it where the reason is cut", async () => {
    answers(whole({}, { status: `${"x".repeat(100)}${key}` }));
    const { failure, about } = await check({ success_pointer: "/status", success_value: "OK" });
    expect(failure).toBe("refused");
    expect(about).toBe(`${"x".repeat(100)}${mask}`);
  });
});

describe("where a check may go", () => {
  const url = (text: string) => httpAdapter.checkCredit(credentials, checkSettings(text), ringgit, { loopback: false });
  test.each([
    "http://127.0.0.1/",
    "https://127.0.0.1/",
    "https://10.0.0.1/",
    "https://169.254.169.254/",
    "http://provider.example/",
    "https://provider.example:8443/",
  ])("is nowhere but public addresses over https: %s", async (text) =>
    expect(await url(text)).toMatchObject({ failure: "blocked", http_status: null }),
  );

  test("is where its name leads at that moment, by the addresses that were looked at", async () => {
    const asked: string[] = [];
    const resolve = (name: string) => Promise.resolve((asked.push(name), ["127.0.0.1"]));
    const found = await httpAdapter.checkCredit(credentials, checkSettings("https://provider.example/"), ringgit, {
      loopback: false,
      resolve,
    });
    expect([found.failure, asked]).toEqual(["blocked", ["provider.example"]]);
  });
});

describe("a proxy", () => {
  const proxyOf = ({ port }: Tunnel) => `http://{{agent.id}}:{{key}}@127.0.0.1:${port}`;

  test("is told the address that was looked at, with its user and password, and nothing else goes past it", async () => {
    const proxy = await startTunnel();
    answers(whole({}));
    expect(await check({ require_proxy: true, proxy_url: proxyOf(proxy) })).toMatchObject({ failure: null, balance: "1200.50" });
    expect(proxy.told).toHaveLength(1);
    expect(proxy.told[0]).toContain(`CONNECT 127.0.0.1:${provider.port}`);
    expect(proxy.told[0]).toContain(`Basic ${Buffer.from(`MHP 7:${key}`).toString("base64")}`);
    proxy.stop();
  });

  test("is left alone where none is required", async () => {
    const proxy = await startTunnel();
    answers(whole({}));
    expect(await check({ require_proxy: false, proxy_url: proxyOf(proxy) })).toMatchObject({ failure: null });
    expect(proxy.told).toEqual([]);
    proxy.stop();
  });

  test("that refuses, or is not there, is the reason why; the provider hears nothing", async () => {
    const proxy = await startTunnel("407 Proxy Authentication Required");
    const before = provider.asked.length;
    expect(await check({ require_proxy: true, proxy_url: proxyOf(proxy) })).toMatchObject({
      failure: "proxy",
      about: "the proxy answered 407",
    });
    proxy.stop();
    expect(await check({ require_proxy: true, proxy_url: "http://127.0.0.1:1" })).toMatchObject({ failure: "proxy" });
    expect(provider.asked.length).toBe(before);
  });

  test("must have a public address, too", async () => {
    const settings = checkSettings("https://93.184.215.14/", { require_proxy: true, proxy_url: "http://10.0.0.1:3128" });
    expect(await httpAdapter.checkCredit(credentials, settings, ringgit, { loopback: false })).toMatchObject({ failure: "blocked" });
  });
});

describe("what may be written", () => {
  const takes = (name: keyof typeof checkFields, value: unknown) => checkFields[name].safeParse(value).success;
  test("no credential decides about the host", () => {
    expect(takes("check_url", "https://provider.example/{{key}}?a={{agent.id}}")).toBe(true);
    for (const url of [
      "https://{{host}}/",
      "https://{{host}}.example/",
      "https://a{{x}}.example/",
      "https://provider.example:{{port}}/",
      "{{url}}",
      "ftp://a/",
    ])
      expect(takes("check_url", url), url).toBe(false);
    expect(takes("proxy_url", "http://{{user}}:{{password}}@proxy.example:3128")).toBe(true);
    expect(takes("proxy_url", "")).toBe(true);
    for (const url of [
      "http://{{host}}:80",
      "http://u:p@{{host}}",
      "http://user:secret@proxy.example",
      "http://{{user}}:secret@proxy.example",
    ])
      expect(takes("proxy_url", url), url).toBe(false);
  });
  test("a header is one line with a name of its own", () => {
    const header = (name: string, value: string) => takes("check_headers", [{ name, value }]);
    expect(header("X-Api-Key", "{{key}}")).toBe(true);
    for (const [name, value] of [
      ["X Key", "a"],
      ["", "a"],
      ["X-Key:", "a"],
      ["X-Key", "a\r\nHost: b"],
      ["X-Key", ""],
    ] as const)
      expect(header(name, value), name).toBe(false);
  });
  test("credentials are a JSON object, or left out", () => {
    for (const text of ["", "{}", '{"key":"a"}']) expect(Credentials.safeParse(text).success, text).toBe(true);
    for (const text of ["key", "[1]", '"a"', "null", '{"key":']) expect(Credentials.safeParse(text).success, text).toBe(false);
  });
});
