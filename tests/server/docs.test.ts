import { afterAll, beforeAll, expect, test } from "vitest";
import { oldSignaturesUntil } from "../../src/contract/merchant-api.ts";
import { problems } from "../../src/contract/problems.ts";
import { testDatabase } from "../support/database.ts";
import { routeNames, routeOf, serve } from "../support/http.ts";
import type { Served } from "../support/http.ts";

const db = testDatabase();
let served: Served;
beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());

interface Document {
  info: { description: string };
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
}

test("OpenAPI names the 401 codes a route answers with: a merchant's are of its signature, staff's of their session, the public's its own", async () => {
  const { paths } = (await served.app.inject("/docs/openapi.json")).json<Document>();
  const codesOf = (name: (typeof routeNames)[number]) => {
    const { path, method } = routeOf(name);
    const text = paths[path]?.[method.toLowerCase()]?.responses["401"]?.description ?? "";
    return text.split("\n").flatMap((line) => (line === "" ? [] : [line.split(":")[0]]));
  };
  const sessionCodes = ["session.missing", "session.expired", "session.ended", "session.unbound"];
  const wanted = (name: (typeof routeNames)[number]) => {
    const { permission, refuses = [] } = routeOf(name);
    if (permission === "merchant") return ["signature.missing", "signature.invalid", "signature.stale", "signature.replayed"];
    return permission === "public" ? refuses.filter((code) => problems[code] === 401) : sessionCodes;
  };
  expect(routeNames.map((name) => [name, codesOf(name)])).toEqual(routeNames.map((name) => [name, wanted(name)]));
});

test("both documents say how a merchant signs, until when the old way is taken, and how long a key is remembered", async () => {
  const { info } = (await served.app.inject("/docs/openapi.json")).json<Document>();
  const page = (await served.app.inject("/docs")).body;
  for (const text of [info.description, page]) {
    expect(text).toContain("the Idempotency-Key");
    expect(text).toContain(`Until ${oldSignaturesUntil}`);
  }
  expect(page).toContain("for 24 hours the same key gives the same answer and one effect");
});
