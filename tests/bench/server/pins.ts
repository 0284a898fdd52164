import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { routes } from "../../../src/contract/index.ts";
import { mostPins } from "../../../src/contract/preferences.ts";
import { makeAccount, makeGroup, makePerson } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { sessionOf } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller, percentile } from "./caller.ts";
import { cpuOf } from "./cpu.ts";
import { create } from "./creations.ts";

export interface PinFigures {
  readonly what: string;
  readonly writesPerSecond: number;
  /** CPU time (ms) of the server and its PostgreSQL for one write: of writes alone, and beside the pinned views. */
  readonly alone: number;
  readonly beside: number;
  /** Of what the views add to a write, the share that PostgreSQL uses. */
  readonly inPostgres: number;
  /** ms the oldest figure on a screen was old at most, and as 99 of 100 were. */
  readonly oldest: number;
  readonly p99: number;
  readonly asks: number;
  /** The same at 200 writes a second, where the machine reached fewer: what the views cost a second, as a share of 200 writes alone. */
  readonly shareAt200: number;
}

const users = 50;
const perSecond = 200;
/** ms of one phase; each kind has as many as there are rounds, in turns. */
const phase = 8_000;
const rounds = 3;
/** Withdrawals under way at once, and those that wait all the while. */
const most = 16;
const standing = 150;
/** As the console asks (console/frame/pins.ts). */
const interval = 1_500;

type Lists = readonly { readonly screen: string; readonly query: Readonly<Record<string, string>> }[];

/** The eight views of a supervisor; with `own` no two users ask for the same. */
function listsOf(own: number): Lists {
  const list = (screen: string, query: Record<string, string>) => ({
    screen,
    query: { sort: "created_at", ...query, ...(own > 0 && { "filter[amount_from]": `${own}.00` }) },
  });
  const lists = [
    list("withdrawals", { view: "queue" }),
    list("withdrawals", { view: "process" }),
    list("withdrawals", { view: "second" }),
    list("withdrawals", { view: "all", "filter[status]": "pending", "filter[amount_to]": "125.00" }),
    list("withdrawals", { view: "all", "filter[status]": "pending", "filter[claimed]": "no" }),
    list("deposits", { view: "queue" }),
    list("deposits", { view: "waiting" }),
    list("bank-transactions", { "filter[status]": "unmatched" }),
  ];
  if (lists.length !== mostPins) throw new Error("as many as may be pinned");
  return lists;
}

/** What fifty users with eight pinned views each cost a server that takes 200 withdrawals a second, and how old their figures become. */
export async function benchPins(): Promise<PinFigures[]> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const { db, served } = outside;
  try {
    const office = await makeOffice(db);
    const merchant = await makeSigningMerchant(db, served.deps, office.tenant, { wallet: "1000000000" });
    await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "1000000000" })], [merchant]);
    const rights = ["pas.transaction.withdrawals.view", "pas.transaction.deposits.view", "pas.transaction.bank-transactions.view"];
    const callerOf = async ({ id }: Person, permissions: readonly string[], connections: number) => {
      await db.owner.query("update memberships set permissions = $2 where user_id = $1", [id, permissions]);
      const { access_token: token } = await sessionOf(served.deps, id);
      return caller(server.url, token, office.tenant.id, office.tenant.currency, connections);
    };
    const decides = [routes.claimWithdrawals.permission, routes.approveWithdrawals.permission];
    const operator = await callerOf(await makePerson(db, office.tenant, "Operator"), decides, most);
    const people = await Promise.all(Array.from({ length: users }, (_, n) => makePerson(db, office.tenant, `User ${n}`)));
    const callers = await Promise.all(people.map((person) => callerOf(person, rights, 1)));
    // a queue of some length stands there all the while
    for (let n = 0; n < standing; n++) await office.withdraw(merchant, { amount: "100.00", member: `S${n}` });
    const postmaster = Number(readFileSync(join(server.dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
    const used = () => ({ all: cpuOf([server.pid, postmaster]), postgres: cpuOf([postmaster]) });
    await db.owner.query("vacuum analyze");

    const run = async (lists: ((user: number) => Lists) | null) => {
      const until = performance.now() + phase;
      const [ages, began]: [number[], ReturnType<typeof used>] = [[], used()];
      let [begun, written, asks] = [0, 0, 0];
      // two writes each, so that the queue stays as long as it is; one that is refused, because the machine is busy, is not counted
      const write = async () => {
        const made = await create(served, "createWithdrawal", merchant, begun++);
        if (made === null) return;
        written++;
        const rows = [{ uuid: made, version: 1, claim: true }];
        if ((await operator.call("POST", routes.approveWithdrawals.path, { rows })).text.includes('"done":true')) written++;
      };
      const writing = (async () => {
        const [start, under] = [performance.now(), new Set<Promise<void>>()];
        for (let n = 0; performance.now() < until; n++) {
          await pause(Math.max(0, start + (n * 2_000) / perSecond - performance.now()));
          const one = write().finally(() => under.delete(one));
          under.add(one);
          if (under.size >= most) await Promise.race(under);
        }
        await Promise.all(under);
      })();
      const watch = async (user: number) => {
        const all = lists?.(user);
        if (all === undefined) return;
        let shown: number[] = [];
        // they have not all come at the same moment
        await pause((user * interval) / users);
        while (performance.now() < until) {
          const turn = performance.now();
          // all at first, then those an event has told of
          const asked = shown.length === 0 ? all : all.filter(({ screen }) => screen === "withdrawals");
          const answer = await callers[user]?.call("POST", routes.readPinFigures.path, { lists: asked });
          if (answer?.status !== 200) throw new Error(`figures were answered ${answer?.status} ${answer?.text}`);
          asks++;
          const now = Date.now();
          for (const asOf of shown) ages.push(now - asOf);
          shown = (JSON.parse(answer.text) as { data: ({ as_of: string } | { code: string })[] }).data.map((one) => {
            if ("code" in one) throw new Error(`a list was not read: ${one.code}`);
            return Date.parse(one.as_of);
          });
          await pause(Math.max(0, turn + interval - performance.now()));
        }
      };
      await Promise.all([writing, ...Array.from({ length: users }, (_, user) => watch(user))]);
      const ended = used();
      return { written, ages, asks, all: ended.all - began.all, postgres: ended.postgres - began.postgres };
    };

    const kinds = [
      ["nothing pinned", null],
      ["the same eight for all 50 users", () => listsOf(0)],
      ["eight of their own for each of 50 users", (user: number) => listsOf(user + 1)],
    ] as const;
    await run(null); // warm
    await run(kinds[1][1]);
    const measured = new Map<string, Awaited<ReturnType<typeof run>>[]>();
    for (let round = 0; round < rounds; round++)
      for (const [what, lists] of kinds) measured.set(what, [...(measured.get(what) ?? []), await run(lists)]);
    const costOf = (what: string, of: "all" | "postgres" = "all") => {
      const runs = measured.get(what) ?? [];
      return runs.reduce((sum, one) => sum + one[of], 0) / runs.reduce((sum, { written }) => sum + written, 0);
    };
    for (const { close } of [...callers, operator]) close();
    return kinds.slice(1).map(([what]) => {
      const all = measured.get(what) ?? [];
      const ages = all.flatMap((one) => one.ages);
      const seconds = (rounds * phase) / 1_000;
      const writesPerSecond = all.reduce((sum, { written }) => sum + written, 0) / seconds;
      const [alone, beside] = [costOf(kinds[0][0]), costOf(what)];
      return {
        what,
        writesPerSecond,
        alone,
        beside,
        inPostgres: (costOf(what, "postgres") - costOf(kinds[0][0], "postgres")) / (beside - alone),
        shareAt200: ((beside - alone) * writesPerSecond) / (perSecond * alone),
        oldest: percentile(ages, 1),
        p99: percentile(ages, 0.99),
        asks: all.reduce((sum, one) => sum + one.asks, 0),
      };
    });
  } finally {
    await outside.close();
    await server.end();
  }
}
