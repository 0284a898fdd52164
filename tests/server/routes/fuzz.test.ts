import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { RouteName } from "../../../src/contract/index.ts";
import { refusalsOf } from "../../../src/contract/route.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { ask, faultsOf, routeNames, routeOf, serve, sessionOf } from "../../support/http.ts";
import type { Answered, Asked, Served } from "../../support/http.ts";
import { fixtures, makeSite } from "./fixtures.ts";
import type { Site } from "./fixtures.ts";

// Requests made from the schemas, half right on purpose: they must get past the parser to be worth sending.
const requests = long({ share: 20_000, whole: 150_000 });
const seed = Number(process.env["FUZZ_SEED"] ?? 20_261_121);
const atOnce = 12;
const canary = "ZQCANARY";

const db = testDatabase();
let served: Served;
let here: Site;
let there: Site;
let token: string;
let spare: string;
/** Ids of every kind, of both tenants, with the versions their rows had. */
const ids: string[] = [];

beforeAll(async () => {
  served = await serve(db);
  here = await makeSite(db, "Tan Wei Ming");
  there = await makeSite(db, canary);
  token = (await sessionOf(served.deps, here.owner.id)).access_token;
  spare = (await sessionOf(served.deps, here.owner.id)).access_token;
  for (const site of [here, there]) {
    for (let n = 0; n < 3; n++) for (const name of routeNames) await fixtures[name].make(site, site.owner);
  }
  const { rows } = await db.owner.query<{ id: string }>(
    "select id from transactions union all select id from merchants union all select id from payment_accounts union all select id from tenants union all select id from users",
  );
  ids.push(...rows.map(({ id }) => id));
});
afterAll(() => served.app.close());

const texts = [
  "",
  " ",
  "x",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202e",
  "é",
  "e\u0301",
  "😀".repeat(40),
  "%00",
  "%",
  "_",
  "\\",
  "\\'",
  '"',
  "' or '1'='1",
  "$1",
  "{}",
  "{{count}}",
  "${x}",
  "<b>",
  "../..",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "true",

  "x".repeat(64),
  "x".repeat(65),
  "x".repeat(501),
  "x".repeat(9_000),
  "duplicate",
  "other",
  "private-channel.x",
  "1.1",
  "\n",
  "\t\u0085\ufeff",
];
const amounts = [
  "0",
  "0.00",
  "-1.00",
  "0.01",
  "1.00",
  "500.00",
  "1.005",
  "1.00001",
  "1e3",
  "60000.00",
  "99999999999999.99",
  "999999999999999.9999",
  "922337203685477.5807",
  "-0",
  "1.",
  "",
];
const times = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "2026-02-29T00:00:00Z",
  "2026-11-21T06:32:00.000Z",
  "1970-01-01T00:00:00Z",
];
const numbers = [0, -0, 1, 2, 3, 4, -1, 1.5, 100, 201, 501, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 63), 1e308, 5e-324];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);
const uuid = () =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...ids) },
    fc.constantFrom(...texts),
    fc.uuid(),
    fc.constantFrom(...ids).map((id) => id.toUpperCase()),
  );
const anything = fc.oneof(text, fc.constantFrom<unknown>(...numbers, null, true, [], {}, [[]], [null]), fc.jsonValue({ maxDepth: 3 }));

/** JSON Schema, as far as the contract's schemas use it. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** What fits the schema mostly; one leaf in `spoilt` is anything. */
function fitting(schema: Schema, spoilt: number): fc.Arbitrary<unknown> {
  const right = fits(schema, spoilt);
  return fc.oneof({ weight: spoilt - 1, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function fits(schema: Schema, spoilt: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fits(one, spoilt)));
  if (schema.type === "array") return fc.array(fitting(schema.items ?? {}, spoilt), { minLength: 0, maxLength: 4 });
  if (schema.type === "integer" || schema.type === "number")
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(1, 2, 3, 4) }, fc.constantFrom(...numbers));
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "object" && schema.properties) {
    const fields = Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, fitting(inner, spoilt)]));
    const whole = fc.record(fields, { requiredKeys: [...(schema.required ?? [])] });
    const extra = fc
      .tuple(whole, fc.constantFrom("extra", "__proto__", "tenant_id", "constructor"), anything)
      .map(([object, key, value]) => {
        return Object.defineProperty({ ...object }, key, { value, enumerable: true });
      });
    const cut = fc
      .tuple(whole, fc.constantFrom(...Object.keys(fields), ""))
      .map(([object, key]) => ({ ...object, [key || "x"]: undefined }));
    return fc.oneof({ weight: 18, arbitrary: whole }, { weight: 1, arbitrary: extra }, { weight: 1, arbitrary: cut });
  }
  if (schema.format === "uuid") return uuid();
  if (schema.format === "date-time") return fc.constantFrom(...times);
  if (schema.maxLength === 21) return fc.constantFrom(...amounts);
  if (schema.maxLength === 37 * 200) return fc.array(uuid(), { maxLength: 4 }).map((list) => list.join(","));
  return fc.oneof(
    { weight: 2, arbitrary: text },
    fc.constantFrom("Maybank", "MYR", "THB", "bank_transfer", "pending,process", "Tan Wei Ming", "514012345678", ...amounts),
  );
}

const schemaOf = (schema: z.ZodType | undefined): Schema | undefined =>
  schema && (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema); // a JSON Schema

const broken = fc.oneof(
  fc.constantFrom("", "{", "[", "nul", '{"a":1,}', "{'a':1}", "\u0000", '"\\ud800"', "[[[[", "1e999", '{"rows":', "\ufeff{}"),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
const headers: fc.Arbitrary<Record<string, string | null>> = fc.oneof(
  { weight: 30, arbitrary: fc.constant({}) },
  ...Object.entries({
    "idempotency-key": ["", "x", "same-key-for-all", "x".repeat(200), "a b"],
    "x-currency": ["THB", "USD", "__proto__", "", "MYR, MYR"],
    "x-tenant-id": ["", "x", "__proto__", "' or 1=1", "00000000-0000-0000-0000-000000000000"],
    "content-type": ["text/plain", "application/json; charset=utf-16", "application/json;x", "", "application/jsonp"],
    authorization: ["", "Bearer", "Bearer x", "Bearer a.b.c", "Basic eDp4"],
    "content-length": ["0", "-1", "x"],
    cookie: ["binding=x", "=", "binding", ";;;", "__proto__=1"],
    "accept-encoding": ["gzip", "br;q=x", "*"],
  }).map(([name, values]) => fc.constantFrom(...values).map((value) => ({ [name]: value }))),
);

/** Only what a text in a URL may be: others are no requests at all. */
const strings = (record: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((record ?? {}) as object).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, typeof value === "string" ? value : JSON.stringify(value)]],
    ),
  );

interface Try {
  readonly name: RouteName;
  readonly asked: Asked;
}

function tryOf(name: RouteName): fc.Arbitrary<Try> {
  const route = routeOf(name);
  const [params, query, body] = [schemaOf(route.params), schemaOf(route.query), schemaOf(route.body)];
  const spoilt = fc.constantFrom(6, 12, 40);
  const payload = body
    ? fc.oneof(
        { weight: 12, arbitrary: spoilt.chain((often) => fitting(body, often)).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: broken },
      )
    : fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: broken });
  return fc
    .record({
      params: params ? fits(params, 20) : fc.constant({}),
      query: query ? spoilt.chain((often) => fits(query, often)) : fc.constant({}),
      payload,
      headers,
      rawQuery: fc.oneof(
        { weight: 30, arbitrary: fc.constant(undefined) },
        fc.constantFrom("%", "%ff", "a[]=1", "limit=1&limit=2", "=", "&&&", "__proto__=1", `q=${"x".repeat(9000)}`),
      ),
    })
    .map(({ params: inPath, query: asks, payload: sent, headers: more, rawQuery }) => ({
      name,
      asked: {
        params: Object.fromEntries(Object.entries(strings(inPath)).map(([key, value]) => [key, value.toWellFormed() || "x"])),
        ...(Object.keys(strings(asks)).length > 0 && { query: strings(asks) }),
        ...(rawQuery !== undefined && { rawQuery }),
        ...(sent !== undefined && { payload: sent }),
        headers: more,
      },
    }));
}

function send({ name, asked }: Try): Promise<Answered> {
  const { permission } = routeOf(name);
  if (permission === "merchant" || permission === "forwarder") return ask(served, name, { signedBy: here[permission], ...asked });
  if (permission === "public") return ask(served, name, asked);
  return ask(served, name, { token: name === "logout" ? spare : token, tenant: here.office.tenant.id, currency: "MYR", ...asked });
}

const tellOf = ({ name, asked }: Try, answer: Answered, fault: string) =>
  `${fault}: ${name} ${JSON.stringify({ ...asked, payload: String(asked.payload).slice(0, 600) })} → ${answer.status} ${answer.text.slice(0, 300)}`;

test(`${requests} requests made from the schemas: no fault, no untyped refusal, no leak, and the books stay right`, async () => {
  const before = await tenantRows();
  const tries = fc.sample(fc.oneof(...routeNames.map(tryOf)), { seed, numRuns: requests });
  const wrong: string[] = [];
  const undeclared = new Set<string>();
  const seen = new Map<number, number>();
  let next = 0;
  const worker = async () => {
    for (let one = tries[next++]; one && wrong.length < 10; one = tries[next++]) {
      const answer = await send(one);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      for (const fault of faultsOf(answer, canary)) wrong.push(tellOf(one, answer, fault));
      const route = routeOf(one.name);
      const declared: readonly string[] = refusalsOf(route);
      if (answer.status >= 400 && !declared.includes(answer.code ?? "")) undeclared.add(`${one.name}: ${answer.code}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  expect(wrong).toEqual([]);
  expect([...undeclared], "refusals the contract does not declare").toEqual([]);
  expect(seen.get(200) ?? 0, "some got through").toBeGreaterThan(requests / 20);
  expect(seen.get(422) ?? 0, "many were refused for what they hold").toBeGreaterThan(requests / 10);
  expect(await tenantRows(), "the other tenant's rows").toEqual(before);
  if (process.env["FUZZ_TELL"]) console.log(Object.fromEntries(seen));
}, 1_800_000);

async function tenantRows(): Promise<unknown> {
  const { rows } = await db.owner.query("select t.id, t.version, t.xmin::text from transactions t where tenant_id = $1 order by id", [
    there.office.tenant.id,
  ]);
  return rows;
}
