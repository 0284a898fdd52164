import cookie from "@fastify/cookie";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Preferences, preferenceRoutes } from "../../../src/contract/preferences.ts";
import type { SavedView } from "../../../src/contract/preferences.ts";
import { Refusal } from "../../../src/contract/problems.ts";
import { trackConnections } from "../../../src/server/connections.ts";
import { mountRoutes } from "../../../src/server/mount.ts";
import { preferenceHandlers } from "../../../src/server/preferences/handlers.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson } from "../../support/factories.ts";
import { ask, sessionOf } from "../../support/http.ts";
import type { Asked, Served } from "../../support/http.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

// These routes as they are called: through the mount, its parser and its answers.
const db = testDatabase();
const defaults = Preferences.parse({});
let served: Served;
let office: Office;

beforeAll(async () => {
  office = await makeOffice(db);
  const app = Fastify();
  await app.register(cookie);
  app.decorate("connections", trackConnections(app.server));
  app.setErrorHandler((error, _, reply) => {
    if (!(error instanceof Refusal)) throw error;
    return reply.code(error.status).send({ message: error.code, code: error.code, data: error.detail });
  });
  mountRoutes(app, office.deps, preferenceRoutes, preferenceHandlers);
  served = { app, deps: office.deps, published: office.announced, url: null };
});
afterAll(() => served.app.close());

async function signedIn() {
  const { id } = await makePerson(db, office.tenant);
  const { access_token: token } = await sessionOf(office.deps, id);
  return (name: keyof typeof preferenceRoutes, asked: Asked = {}) => ask(served, name, { token, tenant: office.tenant.id, ...asked });
}

test("a request that gives one part leaves the others as they were", async () => {
  const send = await signedIn();
  await send("updatePreferences", { body: { density: "roomy", keys: { "shell.help": ["F1"] } } });
  const answer = await send("updatePreferences", { body: { letters_off: true } });
  expect(answer.data).toEqual({ ...defaults, density: "roomy", keys: { "shell.help": ["F1"] }, letters_off: true });
  expect((await send("readPreferences")).data).toEqual(answer.data);
});

test("a name no field may have is refused, with its field, and nothing is changed", async () => {
  const send = await signedIn();
  for (const name of ["a\u0000b", "\ud800"]) {
    const keys = Object.fromEntries([[name, ["x"]]]);
    const answer = await send("updatePreferences", { body: { keys, panes: { list: 1 } } });
    expect([answer.code, answer.data]).toEqual(["request.invalid", { keys: [expect.any(String)] }]);
  }
  expect((await send("readPreferences")).data).toEqual(defaults);
});

test("a saved view goes in and comes out whole", async () => {
  const send = await signedIn();
  const state = {
    search: { status: "pending,process", q: "Tan" },
    columns: { order: ["amount"], widths: { amount: 120 }, pinned: { start: ["code"], end: [] } },
    density: "compact",
  };
  const form = { name: " Morning ", shared: false, digit: 1, default: true, state };
  const { data } = await send("createView", { body: { ...form, screen: "withdrawals" } });
  const view = data as SavedView; // the contract's answer
  expect(view).toMatchObject({ ...form, name: "Morning", screen: "withdrawals", mine: true, version: 1 });
  const changed = await send("updateView", { params: { uuid: view.uuid }, body: { ...form, name: "Noon", version: 1 } });
  expect(changed.data).toEqual({ ...view, name: "Noon", version: 2 });
  expect((await send("listViews", { query: { screen: "withdrawals" } })).data).toEqual([changed.data]);
  const stale = await send("updateView", { params: { uuid: view.uuid }, body: { ...form, version: 1 } });
  expect([stale.status, stale.code, stale.data]).toEqual([409, "record.stale", { row: changed.data }]);
  expect(await send("deleteView", { params: { uuid: view.uuid } })).toMatchObject({ status: 200, data: {} });
  expect((await send("deleteView", { params: { uuid: view.uuid } })).status).toBe(404);
});

test("names the database cannot hold are refused like any other field", async () => {
  const send = await signedIn();
  const answer = await send("updatePreferences", { body: { panes: { "a\u0000": 1 } } });
  expect([answer.status, answer.code]).toEqual([422, "request.invalid"]);
  const form = { name: "N", screen: "deposits", shared: false, digit: null, default: false };
  const view = await send("createView", { body: { ...form, state: { search: { "\udc00": "x" } } } });
  expect([view.status, view.data]).toEqual([422, { "state.search": [expect.any(String)] }]);
});
