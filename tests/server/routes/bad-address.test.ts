import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "../../support/database.ts";
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
let there: Site;
let send: Send;

beforeAll(async () => {
  served = await serve(db);
  here = await makeSite(db, "Tan Wei Ming");
  there = await makeSite(db, canary);
  send = await senderOf(db, served, here, canary);
});
afterAll(() => served.app.close());

const badUuids = [
  "",
  "x",
  "1",
  "00000000-0000-0000-0000-00000000000g",
  `${randomUUID()} `,
  `{${randomUUID()}}`,
  randomUUID().replaceAll("-", ""),
  "' or '1'='1",
];

const unknownUuids = [randomUUID(), "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

const withQuery = routeNames.filter((name) => routeOf(name).query);
const withParams = routeNames.filter((name) => routeOf(name).params);

describe.each(withParams)("%s", (name) => {
  test("answers malformed ids with 422 and unknown ones with 404", async () => {
    const ready = await fixtures[name].make(here, here.owner);
    // each address of a route with several in turn, beside others that are known
    for (const place of Object.keys(ready.params ?? {})) {
      const sendAt = async (uuid: string) => refusalOf(await send(name, { ...ready, params: { ...ready.params, [place]: uuid } }));
      for (const uuid of badUuids.slice(1)) expect(["request.invalid", "not-found"]).toContain(await sendAt(uuid));
      // most are known by a uuid, a picture by its digest; one of a few given words can be none else
      const fits = (value: string): boolean => routeOf(name).params?.shape[place]?.safeParse(value).success === true;
      const unknown = [...unknownUuids, there.office.tenant.id, randomBytes(32).toString("hex")];
      expect(unknown.some(fits) || routeOf(name).params?.shape[place] instanceof z.ZodEnum).toBe(true);
      for (const value of unknown) expect(await sendAt(value)).toBe(fits(value) ? "not-found" : "request.invalid");
      expect(["request.invalid", "not-found"]).toContain(await sendAt("x".repeat(5_000)));
    }
  });
});

describe.each(withQuery)("%s", (name) => {
  test("refuses unknown, doubled, oversized and senseless queries, or answers them plainly", async () => {
    const fields = Object.keys(routeOf(name).query?.shape ?? {});
    for (const field of ["extra", "__proto__", "constructor", "filter[tenant_id]"]) {
      expect(refusalOf(await send(name, { query: { [field]: "x" } }))).toBe("request.invalid");
    }
    const values = [
      "",
      "x",
      "-1",
      "0",
      "1e9",
      "99999999999999999999",
      "1.5",
      "NaN",
      "null",
      "\u0000",
      "a\u0000",
      "%",
      "_",
      "\\",
      "'",
      "\u202e",
      "x".repeat(8_000),
    ];
    const more = [
      "0000-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
      "999999999999999.9999",
      "-999999999999999.9999",
      ",",
      ",,,",
      "pending,pending",
      "-",
      "--amount",
    ];
    const cursors = [
      ["created_at"],
      ["created_at", "x", "y"],
      ["-created_at", "2026-01-01", "x"],
      ["amount", "9".repeat(30), randomUUID()],
      [{}],
    ];
    for (const field of fields) {
      for (const value of [...values, ...more]) await send(name, { query: { [field]: value } });
      for (const raw of [
        `${encodeURIComponent(field)}=a&${encodeURIComponent(field)}=b`,
        `${field}=%ff%fe`,
        `${field}=%`,
        `${field}[]=1`,
        field,
      ]) {
        await send(name, { rawQuery: raw });
      }
    }
    for (const cursor of cursors) await send(name, { query: { cursor: Buffer.from(JSON.stringify(cursor)).toString("base64url") } });
    for (const field of fields) {
      expect(refusalOf(await send(name, { query: { [field]: "a\u0000" } }))).toBe("request.invalid");
    }
  });
});

test("a huge path, a broken escape and an unknown method are typed refusals, too", async () => {
  const { app } = served;
  for (const url of [
    `/service/${"x".repeat(9_000)}`,
    "/service/%",
    "/service/%00",
    "/service/../../etc/passwd",
    "/service//",
    "/SERVICE/payment",
  ]) {
    const answer = await app.inject({ method: "GET", url });
    expect([url.slice(0, 40), answer.statusCode, answer.json<{ code: string }>().code]).toEqual([url.slice(0, 40), 404, "not-found"]);
  }
  for (const method of ["DELETE", "PATCH", "OPTIONS", "HEAD"] as const) {
    const answer = await app.inject({ method, url: routeOf("listWithdrawals").path });
    expect([method, answer.statusCode]).toEqual([method, 404]);
  }
});
