import { afterAll, beforeAll, expect, test } from "vitest";
import type { FastifyInstance } from "fastify";
import { routes } from "../../src/contract/index.ts";
import { buildApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";
import { openLog } from "../../src/server/open-log.ts";
import { testDatabase } from "../support/database.ts";
import { makeDeps, makePerson, makeTenant } from "../support/factories.ts";
import { setPassword } from "../support/http.ts";

const db = testDatabase();
let app: FastifyInstance;
let written = "";
let log: ReturnType<typeof openLog>;

beforeAll(async () => {
  log = openLog("trace", { write: (line) => void (written += line) });
  app = await buildApp({ ...makeDeps(db), config: readConfig({}), log }, { logger: log, consoleFolder: null });
});
afterAll(() => app.close());

const canary = (what: string) => `CANARY-${what}-5f0c`;
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  app.inject({ method: "POST", url: path, payload: body, headers: { "user-agent": canary("agent"), ...headers } });

test("at its finest level, with a failure in the midst, the log holds no password, token, cookie, code or row", async () => {
  const person = await makePerson(db, await makeTenant(db));
  const password = canary("password");
  const email = await setPassword(db, person.id, password);
  const signedIn = await post(routes.login.path, { email, password });
  expect(signedIn.statusCode).toBe(200);
  const { data } = signedIn.json<{ data: { access_token: string; refresh_token: string } }>();
  await post(routes.login.path, { email, password: canary("wrong") });
  await post(routes.refreshToken.path, { refresh_token: data.refresh_token }, { cookie: `binding=${canary("cookie")}` });
  await post(routes.refreshToken.path, { refresh_token: canary("refresh") });
  await post(routes.resetPassword.path, { token: canary("reset"), email, password, password_confirmation: password });
  await post(routes.stepUp.path, { code: canary("code") }, { authorization: `Bearer ${data.access_token}` });

  await db.owner.query("alter table sessions add constraint broken check (false) not valid");
  try {
    expect((await post(routes.login.path, { email, password })).statusCode).toBe(500);
  } finally {
    await db.owner.query("alter table sessions drop constraint broken");
  }
  // the failure can be found: what, where, by which constraint
  expect(written).toMatch(/"msg":"failed"/);
  expect(written).toMatch(/"constraint":"broken"/);
  expect(written).toMatch(/"stack":"/);
  for (const secret of ["CANARY", data.access_token, data.refresh_token, "Failing row"]) expect(written).not.toContain(secret);
});

test("secret fields are redacted in the log, at the top level and nested", () => {
  written = "";
  log.info({ password: canary("a"), body: { refresh_token: canary("b"), user: { password: canary("c") } } }, "said");
  log.warn({ headers: { authorization: canary("d"), cookie: canary("e") } }, "said");
  expect(written.match(/\[Redacted\]/g)).toHaveLength(5);
  expect(written).not.toContain("CANARY");
});
