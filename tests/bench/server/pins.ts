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
  /** CPU time (ms) of the server and its PostgreSQL for one write, without what they use while nothing is asked. */
  readonly write: number;
  /** The same for one reading of the views. */
  readonly reading: number;
  /** The share of a reading that PostgreSQL uses. */
  readonly inPostgres: number;
  /** ms the oldest figure on a screen was old at most, and as 99 of 100 were. */
  readonly oldest: number;
  readonly p99: number;
  readonly asks: number;
  /** What the views cost a second, as a share of 200 writes: also where the machine reached fewer. */
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
    const office = await makeOffice(db, { settings: { claim_limit: 100 } });
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

    // every withdrawal to a payee of its own, because one that is paid again must be confirmed
    let begun = 0;
    const run = async (lists: ((user: number) => Lists) | null, writes = true) => {
      const until = performance.now() + phase;
      const [ages, began]: [number[], ReturnType<typeof used>] = [[], used()];
      let [written, asks] = [0, 0];
      // two writes each, so that the queue stays as long as it is; one that is refused, because the machine is busy, is not counted
      const write = async () => {
        const made = await create(served, "createWithdrawal", merchant, begun++);
        if (made === null) return;
        written++;
        const rows = [{ uuid: made, version: 1, claim: true }];
        const { text } = await operator.call("POST", routes.approveWithdrawals.path, { rows });
        if (text.includes('"done":true')) written++;
        else if (!text.includes("request.busy")) throw new Error(`not approved: ${text}`);
      };
      const writing = (async () => {
        const [start, under] = [performance.now(), new Set<Promise<void>>()];
        if (!writes) await pause(phase);
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
    for (let round = 0; round < rounds; round++) {
      measured.set("nothing", [...(measured.get("nothing") ?? []), await run(null, false)]);
      for (const [what, lists] of kinds) measured.set(what, [...(measured.get(what) ?? []), await run(lists)]);
    }
    for (const { close } of [...callers, operator]) close();
    const sumOf = (what: string, of: "all" | "postgres" | "written" | "asks") =>
      (measured.get(what) ?? []).reduce((sum, one) => sum + one[of], 0);
    const usedBy = (what: string, of: "all" | "postgres") => sumOf(what, of) - sumOf("nothing", of);
    const seconds = (rounds * phase) / 1_000;
    return kinds.slice(1).map(([what]) => {
      const [written, asks] = [sumOf(what, "written"), sumOf(what, "asks")];
      const writesOf = (of: "all" | "postgres") => usedBy(kinds[0][0], of) / sumOf(kinds[0][0], "written");
      const viewsOf = (of: "all" | "postgres") => usedBy(what, of) - writesOf(of) * written;
      const ages = (measured.get(what) ?? []).flatMap((one) => one.ages);
      return {
        what,
        writesPerSecond: written / seconds,
        write: writesOf("all"),
        reading: viewsOf("all") / asks,
        inPostgres: viewsOf("postgres") / viewsOf("all"),
        shareAt200: viewsOf("all") / seconds / (perSecond * writesOf("all")),
        oldest: percentile(ages, 1),
        p99: percentile(ages, 0.99),
        asks,
      };
    });
  } finally {
    await outside.close();
    await server.end();
  }
}
