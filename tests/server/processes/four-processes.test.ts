import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Balancer } from "../../support/balancer.ts";
import { balancerBefore } from "../../support/balancer.ts";
import type { Operator } from "../../support/crew.ts";
import { makeCrew } from "../../support/crew.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { plainRequest } from "../../support/exports.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { ask, sessionOf, setPassword } from "../../support/http.ts";
import type { Asked, Served } from "../../support/http.ts";
import type { LiveSocket } from "../../support/live-socket.ts";
import { liveSocket } from "../../support/live-socket.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";
import { settingsFor } from "../../support/settings-for.ts";

const count = 4;
const rounds = long({ share: 5, whole: 200 });
const restarts = long({ share: 1, whole: 8 });

const db = testDatabase();
let servers: ServerProcess[];
let balancer: Balancer;
let served: Served;
let office: Office;
let merchant: SigningMerchant;
let crew: Operator[];
/** The first of the crew, as a browser asks. */
let who: Asked;

beforeAll(async () => {
  // few connections each, because all tests share one PostgreSQL
  const environment = { ...settingsFor(db), DATABASE_POOL: "4", TRUST_PROXY: "127.0.0.1" };
  servers = await Promise.all(Array.from({ length: count }, () => serverProcess(environment)));
  await Promise.all(servers.map((server) => server.start()));
  balancer = await balancerBefore(servers.map(({ url }) => url));
  office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { callback_url: null, wallet: "100000000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "100000000" })], [merchant]);
  served = { deps: office.deps, url: balancer.url } as unknown as Served; // asked over its url only
  crew = await makeCrew(db, served, office, count, ["pas.transaction.withdrawals.export"]);
  who = {
    token: (await sessionOf(office.deps, crew[0]?.id ?? "")).access_token,
    tenant: office.tenant.id,
    currency: office.tenant.currency,
  };
  await vi.waitUntil(() => balancer.inRotation().length === count, { timeout: 60_000 });
});
afterAll(async () => {
  await balancer.close();
  await Promise.all(servers.map((server) => server.end()));
});

const events = async (act: string, uuid: string) =>
  (await db.owner.query("select from transaction_events where transaction_id = $1 and act = $2", [uuid, act])).rowCount;

test("the proxy gives each process its turn", async () => {
  const before = [...balancer.given];
  await Promise.all(Array.from({ length: count }, () => ask(served, "listWithdrawals", { ...who, query: { view: "all" } })));
  expect(balancer.given.map((given, n) => given - (before[n] ?? 0))).toEqual(Array.from({ length: count }, () => 1));
});

test(`${rounds} withdrawals claimed by ${count} operators through ${count} processes: each is one operator's, and the others are told whose`, async () => {
  for (let round = 0; round < rounds; round++) {
    const { id: uuid, version } = await office.withdraw(merchant);
    const outcomes = await Promise.all(crew.map((operator) => operator.act("claim", { uuid, version })));
    const won = outcomes.findIndex(({ done }) => done);
    const winner = crew[won];
    expect(outcomes.filter(({ done }) => !done).map(({ data }) => data?.by)).toEqual(crew.slice(1).map(() => winner?.name));
    expect(await events("claim", uuid)).toBe(1);
    // nobody claims more than a hundred
    await winner?.act("release", outcomes[won]?.row ?? { uuid, version });
  }
});

test("what is done at one process is heard at sockets of all", async () => {
  const sockets = await listeners();
  try {
    const { id: uuid, version } = await office.withdraw(merchant);
    expect(await crew[0]?.act("claim", { uuid, version })).toMatchObject({ done: true });
    for (const socket of sockets) await expect.poll(() => socket.heard("withdraw")).toContain(uuid);
  } finally {
    for (const socket of sockets) socket.close();
  }
});

test(`one key through ${count} processes: the act is done once, and all are answered alike`, async () => {
  for (let round = 0; round < rounds; round++) {
    const operator = crew[round % count];
    const { id: uuid, version } = await office.withdraw(merchant);
    const claimed = await operator?.act("claim", { uuid, version });
    const row = { uuid, version: claimed?.row?.version };
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: count }, () => operator?.ask("approveWithdrawals", { rows: [row] }, key)));
    expect(answers[0]).toMatchObject({ status: 200, data: { outcomes: [{ done: true }] } });
    expect(answers.map((answer) => answer?.text)).toEqual(answers.map(() => answers[0]?.text));
    expect(await events("approve", uuid)).toBe(1);
  }
});

test("failed sign-ins are counted over all processes: after ten of them, by turns, each process refuses the right password too", async () => {
  const email = await setPassword(db, crew[1]?.id ?? "", "some good password");
  const login = (password: string) => ask(served, "login", { body: { email, password } });
  for (let n = 0; n < 10; n++) expect((await login("a wrong password")).code).not.toBe("login.throttled");
  const answers = await Promise.all(Array.from({ length: count }, () => login("some good password")));
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => "login.throttled"));
});

test("a job started at any process runs once", async () => {
  const request = { ...plainRequest, query: { view: "all" } };
  const started = await Promise.all(crew.map((operator) => operator.ask("startWithdrawalsExport", request)));
  const ids = started.map(({ data }) => (data as { uuid: string }).uuid); // the contract's answer
  const jobs = async () =>
    (await db.owner.query("select state, attempt from jobs where id = any($1)", [ids])).rows as { state: string; attempt: number }[];
  await expect.poll(async () => (await jobs()).map(({ state }) => state)).toEqual(ids.map(() => "done"));
  expect((await jobs()).map(({ attempt }) => attempt)).toEqual(ids.map(() => 1));
  const { rows: files } = await db.owner.query("select distinct export_id, file from export_parts where export_id = any($1)", [ids]);
  expect(files.length).toBe(ids.length);
});

/** A socket at each process, of the crew's first. */
const listeners = (): Promise<LiveSocket[]> => Promise.all(Array.from({ length: count }, () => liveSocket(served, who)));

/** Asks without a pause until it is over; answers how often, and what failed. */
async function load(over: () => boolean): Promise<{ asked: number; failed: unknown[] }> {
  const failed: unknown[] = [];
  let asked = 0;
  const requests: ((operator: Operator, n: number) => Promise<{ status: number }>)[] = [
    () => ask(served, "listWithdrawals", { ...who, query: { view: "all" } }),
    async (operator, n) => {
      const { id: uuid, version } = await office.withdraw(merchant, { amount: "1.00", merchant_txn_no: `${operator.id}-${n}` });
      const { row, status } = await operator.act("claim", { uuid, version });
      if (!row) return { status };
      asked++;
      const approved = await operator.act("approve", row);
      return approved.done ? approved : { ...approved, status: 0 };
    },
    () =>
      ask(served, "createDeposit", {
        signedBy: merchant,
        body: {
          merchant_txn_no: randomUUID(),
          amount: "1.00",
          currency: merchant.currency,
          method: "bank_transfer",
          member: randomUUID(),
          customer_name: "Tan Wei Ming",
        },
      }),
  ];
  const one = async (operator: Operator, first: number) => {
    for (let n = first; !over(); n++) {
      asked++;
      const answer = await requests[n % requests.length]?.(operator, n).catch((error: unknown) => ({ status: 0, error }));
      if (answer?.status !== 200) failed.push(answer);
    }
  };
  await Promise.all(crew.map(one));
  return { asked, failed };
}

test(
  `${restarts * count} restarts in turn under load: no request fails, and sockets are connected again`,
  async () => {
    const sockets = await listeners();
    try {
      let over = false;
      const loaded = load(() => over);
      const stops: unknown[] = [];
      for (let n = 0; n < restarts * count; n++) {
        const server = servers[n % count];
        stops.push(await server?.stop());
        await server?.start();
        await expect.poll(() => balancer.inRotation().length).toBe(count);
      }
      over = true;
      const { asked, failed } = await loaded;
      process.stdout.write(`${asked} requests while ${restarts * count} servers were restarted\n`);
      expect(failed).toEqual([]);
      expect(stops).toEqual(stops.map(() => ({ code: 0, logged: "" })));
      for (const [n] of servers.entries()) {
        const found = balancer.found(n);
        // who is gone has said before that it stops
        expect(found.filter((one, at) => one === "gone" && found[at - 1] !== 503)).toEqual([]);
        expect(found.filter((one) => one === "gone").length).toBe(restarts);
      }
      for (const socket of sockets) expect(socket.subscribed).toBeGreaterThan(restarts);
      const { id: uuid, version } = await office.withdraw(merchant);
      expect(await crew[0]?.act("claim", { uuid, version })).toMatchObject({ done: true });
      for (const socket of sockets) await expect.poll(() => socket.heard("withdraw")).toContain(uuid);
    } finally {
      for (const socket of sockets) socket.close();
    }
  },
  long({ share: 300_000, whole: 3_600_000 }),
);
