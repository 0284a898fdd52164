import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { routes } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/route.ts";
import { testDatabase } from "../../support/database.ts";
import { makeDeps, makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { sessionOf, setPassword } from "../../support/http.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";

const db = testDatabase();
const password = "correct horse battery staple";
const strangers = 300;
const soon = { timeout: 60_000, interval: 250 };
let server: ServerProcess;
let tenant: Tenant;

beforeAll(async () => {
  const { database = "", host = "" } = db.connectAs("app");
  const url = new URL(`postgresql://app@localhost/${database}`);
  url.searchParams.set("host", host);
  // the key of the factories, so that a session they start is one of the server's
  const masterKey = Buffer.alloc(32, 7).toString("base64");
  server = await serverProcess({ DATABASE_URL: url.href, MASTER_KEY: masterKey, TRUST_PROXY: "127.0.0.1" });
  await server.start();
  tenant = await makeTenant(db);
});
afterAll(() => server.end());

const post = (route: Route, body: object, headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(server.url + route.path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** Sign-ins from ever another address, all at once; each holds its status once it is answered, or "cut". */
function flood(signal: AbortSignal): { status: number | "cut" | null; answered: Promise<void> }[] {
  return Array.from({ length: strangers }, (_, n) => {
    const one = { status: null as number | "cut" | null, answered: Promise.resolve() };
    const body = { email: `stranger-${n}@example.com`, password: "wrong" };
    one.answered = post(routes.login, body, { "x-forwarded-for": `10.9.${n >> 8}.${n & 255}` }, signal).then(
      async (answer) => {
        one.status = answer.status;
        await answer.arrayBuffer();
      },
      () => void (one.status = "cut"),
    );
    return one;
  });
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.split(" ")[1] ?? Number.NaN);
}
const waiting = () => metric('password_hashes{state="stranger"}');

test("a flood of sign-ins is refused beyond what may wait; whoever is known does not wait behind it, and an honest sign-in gets in", async () => {
  const person = await makePerson(db, tenant);
  const email = await setPassword(db, person.id, password);
  const { access_token } = await sessionOf(makeDeps(db), person.id);
  const wave = flood(new AbortController().signal);
  await vi.waitFor(() => expect(wave.some(({ status }) => status === 503)).toBe(true), soon);

  const before = wave.filter(({ status }) => status === null);
  const proof = await post(routes.stepUp, { password }, { authorization: `Bearer ${access_token}`, "x-tenant-id": tenant.id });
  expect(proof.status).toBe(200);
  expect(before.filter(({ status }) => status === null).length, "came before, and still waits").toBeGreaterThan(0);

  const refused: (string | null)[] = [];
  await vi.waitFor(async () => {
    const answer = await post(routes.login, { email, password }, { "x-forwarded-for": "203.0.113.9" });
    if (answer.status === 503) refused.push(answer.headers.get("retry-after"));
    expect(answer.status).toBe(200);
  }, soon);
  expect(refused, "each says when to try again").toEqual(refused.map(() => "2"));
  await Promise.all(wave.map(({ answered }) => answered));
});

test("when the flood's clients have gone nothing is hashed for them any more, and the queue is empty", async () => {
  const hashed = await metric('password_hash_turns_total{outcome="done"}');
  const going = new AbortController();
  const wave = flood(going.signal);
  await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), soon);
  going.abort();
  await Promise.all(wave.map(({ answered }) => answered));
  await vi.waitFor(async () => expect([await waiting(), await metric('password_hashes{state="running"}')]).toEqual([0, 0]), soon);
  expect(await metric('password_hash_turns_total{outcome="gone"}')).toBeGreaterThan(0);
  expect((await metric('password_hash_turns_total{outcome="done"}')) - hashed, "of all who came").toBeLessThan(strangers);
});
