import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { fingerprints } from "../../support/fingerprints.ts";
import { refusalOf, routeNames, routeOf, serve } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { fixtures, makeSite } from "./fixtures.ts";
import type { Site } from "./fixtures.ts";
import { senderOf } from "./sender.ts";
import type { Send } from "./sender.ts";

const db = testDatabase({ invariants: 100 });
const canary = "ZQCANARY";
let served: Served;
let here: Site;
let send: Send;

beforeAll(async () => {
  served = await serve(db);
  here = await makeSite(db, "Tan Wei Ming");
  send = await senderOf(db, served, here, canary);
});
afterAll(() => served.app.close());

type Path = readonly (string | number)[];

/** Every place in a body, with what is there. */
function places(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  const inner =
    value !== null && typeof value === "object"
      ? Object.entries(value).flatMap(([key, one]) => places(one, [...path, Array.isArray(value) ? Number(key) : key]))
      : [];
  return [{ path, value }, ...inner];
}

/** A copy with what is at `path` replaced; undefined takes it out. */
function put(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((one: unknown, n) => (n === step ? put(one, rest, by) : one));
  const copy = { ...(value as Record<string, unknown>) }; // the path was read off this value
  if (rest.length === 0 && by === undefined) delete copy[step];
  else copy[step] = put(copy[step], rest, by);
  return copy;
}

const types: readonly unknown[] = [null, true, 7, "x", [], {}, [[]], { a: { b: {} } }];
const kind = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
/** What no amount may be, whatever money is asked to move. */
const badAmounts = [
  "-1.00",
  "-0.01",
  "0",
  "0.00",
  "-0",
  "1.005",
  "1.0001",
  "1.00000",
  "1e3",
  "1E3",
  "1e-2",
  "0x10",
  "1,000.00",
  "1.",
  ".5",
  "+1",
  " 1",
  "1 ",
  "1\n",
  "NaN",
  "Infinity",
  "-Infinity",
  "",
  "9999999999999999.00",
  "9".repeat(30),
  "１２",
  "1\u0000",
  "1_000",
  "1.00 MYR",
  "null",
];
const strange = { "a nul": "a\u0000b", "half a surrogate pair": "a\ud800b", "the other half": "\udc00" };

const withBody = routeNames.filter((name) => routeOf(name).body);

describe.each(withBody)("%s", (name) => {
  test("refuses wrong types, missing and unknown fields with 422 and the field's name, and does nothing", async () => {
    const ready = await fixtures[name].make(here, here.owner);
    // signatures are remembered, sign-ins counted, signing out needs a session of its own
    const apart = ["seen_signatures", "throttles", "sessions", "refresh_tokens", "users"];
    const before = await fingerprints(db, { except: apart });
    for (const { path, value } of places(ready.body)) {
      for (const wrong of types) {
        const body = put(ready.body, path, wrong);
        // of some fields null is a value beside others
        if (kind(wrong) === kind(value) || ((wrong === null || value === null) && routeOf(name).body?.safeParse(body).success)) continue;
        const answer = await send(name, { ...ready, body });
        expect([path, wrong, answer.code]).toEqual([path, wrong, "request.invalid"]);
        expect(Object.keys(answer.data ?? {}).join(), "names where").toContain(path.length === 0 ? "body" : path.join("."));
      }
      if (kind(value) !== "object") continue;
      for (const extra of ["extra", "__proto__", "constructor", "toString", "tenant_id"]) {
        const spoilt = JSON.stringify(put(ready.body, path, { ...(value as object), ["\u0001"]: 1 })).replace(
          '"\\u0001"',
          JSON.stringify(extra),
        );
        expect(refusalOf(await send(name, { ...ready, payload: spoilt }))).toBe("request.invalid");
      }
      for (const field of Object.keys(value as object)) {
        const body = put(ready.body, [...path, field], undefined);
        if (routeOf(name).body?.safeParse(body).success) continue; // it may be left out
        expect(refusalOf(await send(name, { ...ready, body }))).toBe("request.invalid");
      }
    }
    expect(refusalOf(await send(name, { ...ready, body: undefined }))).toBe("request.invalid");
    expect(await fingerprints(db, { except: apart })).toEqual(before);
  });

  test("takes a nul, a broken surrogate or a very long text in no field", async () => {
    const ready = await fixtures[name].make(here, here.owner);
    for (const { path } of places(ready.body).filter(({ value }) => typeof value === "string")) {
      for (const text of [...Object.values(strange), "x".repeat(10_000)]) {
        const answer = await send(name, { ...ready, body: put(ready.body, path, text) });
        expect([path, text.slice(0, 4), answer.code]).toEqual([path, text.slice(0, 4), "request.invalid"]);
      }
    }
  });

  test("refuses what is no JSON, too large, or of another content type", async () => {
    const ready = await fixtures[name].make(here, here.owner);
    const text = JSON.stringify(ready.body);
    for (const payload of [
      text.slice(0, -1),
      `${text}}`,
      "{'a':1}",
      "undefined",
      "NaN",
      "\u0000",
      '{"a":\u0001}',
      Buffer.from([0xff, 0xfe, 0x00]),
    ]) {
      expect(refusalOf(await send(name, { ...ready, payload }))).toBe("request.malformed");
    }
    for (const payload of [
      "null",
      "1",
      '""',
      "[]",
      "[".repeat(5_000) + "]".repeat(5_000),
      '{"a":'.repeat(2_000) + "1" + "}".repeat(2_000),
    ]) {
      expect(refusalOf(await send(name, { ...ready, payload }))).toBe("request.invalid");
    }
    expect(refusalOf(await send(name, { ...ready, payload: JSON.stringify({ a: "x".repeat(300 * 1024) }) }))).toBe("request.too-large");
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "x"]) {
      expect(refusalOf(await send(name, { ...ready, headers: { "content-type": type } }))).toBe("request.unsupported-media");
    }
    expect(["request.unsupported-media", "request.invalid"]).toContain(
      refusalOf(await send(name, { ...ready, headers: { "content-type": null } })),
    );
  });
});

describe.each(withBody.filter((name) => routeOf(name).money))("%s", (name) => {
  test("asks for an idempotency key that is one", async () => {
    const ready = await fixtures[name].make(here, here.owner);
    expect(refusalOf(await send(name, { ...ready, headers: { "idempotency-key": null } }))).toBe("request.idempotency-key-missing");
    for (const key of ["", "short", "with a blank in", "x".repeat(129), "schlüssel"]) {
      const answer = await send(name, { ...ready, headers: { "idempotency-key": key } });
      expect(["request.idempotency-key-invalid", "request.idempotency-key-missing"]).toContain(refusalOf(answer));
    }
  });

  test("takes no key of another request", async () => {
    const [one, two] = [await fixtures[name].make(here, here.owner), await fixtures[name].make(here, here.owner)];
    const headers = { "idempotency-key": randomUUID() };
    expect((await send(name, { ...one, headers })).status).toBe(200);
    const except = ["seen_signatures"];
    const before = await fingerprints(db, { except });
    expect(refusalOf(await send(name, { ...two, headers }))).toBe("request.idempotency-mismatch");
    expect(await fingerprints(db, { except })).toEqual(before);
  });
});

describe.each(["createDeposit", "createWithdrawal"] as const)("%s", (name) => {
  test("moves no amount that is negative, zero, too fine, too large or not a plain decimal", async () => {
    const ready = await fixtures[name].make(here, here.owner);
    const count = async () => (await db.owner.query("select from transactions")).rowCount;
    const before = await count();
    for (const amount of [...badAmounts, 100, 1.5, -1, 1e300]) {
      const answer = await send(name, { body: { ...(ready.body as object), amount } });
      const tooFine = amount === "1.005" || amount === "1.0001";
      expect([amount, answer.code]).toEqual([amount, tooFine ? "amount.too-precise" : "request.invalid"]);
    }
    for (const amount of ["999999999999999.99", "999999999999999", "922337203685477.59"]) {
      const answer = await send(name, { body: { ...(ready.body as object), amount, merchant_txn_no: randomUUID() } });
      expect([amount, answer.status], answer.text).toEqual([amount, 422]);
    }
    expect(await count()).toBe(before);
  });

  test("takes no finer amount than its currency has", async () => {
    const { tenant } = here.office;
    await db.owner.query("update currencies set minor_digits = 0 where tenant_id = $1 and code = 'MYR'", [tenant.id]);
    try {
      const ready = await fixtures[name].make(here, here.owner);
      expect(refusalOf(await send(name, { body: { ...(ready.body as object), amount: "10.50" } }))).toBe("amount.too-precise");
    } finally {
      await db.owner.query("update currencies set minor_digits = 2 where tenant_id = $1 and code = 'MYR'", [tenant.id]);
    }
  });

  test("takes no other currency than its merchant's", async () => {
    const ready = await fixtures[name].make(here, here.owner);
    for (const currency of ["THB", "USD"])
      expect(refusalOf(await send(name, { body: { ...(ready.body as object), currency } }))).toBe("currency.invalid");
    for (const currency of ["myr", "", "MYRX"])
      expect(refusalOf(await send(name, { body: { ...(ready.body as object), currency } }))).toBe("request.invalid");
  });
});

test("a time that is none, or none a calendar has, is refused", async () => {
  for (const payment_date of [
    "0000-01-01T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-11-21",
    "2026-11-21T25:00:00Z",
    "now",
    "2026-11-21T06:32:00+08:00",
  ]) {
    const ready = await fixtures.reportDepositPaid.make(here, here.owner);
    const answer = await send("reportDepositPaid", { ...ready, body: { reference_no: "R", payment_date } });
    expect([payment_date, answer.code]).toEqual([payment_date, "request.invalid"]);
  }
});
