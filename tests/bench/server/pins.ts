import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { routes } from "../../../src/contract/index.ts";
import { mostPins } from "../../../src/contract/preferences.ts";
import type { TestDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makePerson } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { sessionOf } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller, percentile } from "./caller.ts";
import { cpuOf, cpuOfOne } from "./cpu.ts";
import { create } from "./creations.ts";

export interface PinFigures {
  readonly what: string;
  readonly writesPerSecond: number;
  /** CPU time (ms) of server and PostgreSQL for one write while nothing is pinned, without what they use while nothing is written. */
  readonly write: number;
  /** CPU time (ms) of server and PostgreSQL for one reading of the views. */
  readonly reading: number;
  /** The share of a reading that PostgreSQL uses. */
  readonly inPostgres: number;
  /** ms the oldest figure on a screen was old at most, and as 99 of 100 were. */
  readonly oldest: number;
  readonly p99: number;
  readonly asks: number;
  /** What the views cost a second, as a share of 200 writes: also where the machine reached fewer. */
  readonly shareAt200: number;
  /** The same of each round alone, from least to most. */
  readonly sharesOfRounds: readonly number[];
}

const users = 50;
const perSecond = 200;
/** ms of one phase; each kind has as many as there are rounds, in turns. */
const phase = 8_000;
const rounds = 4;
/** Withdrawals under way at once, and those that wait all the while. */
const most = 16;
const standing = 150;
/** As the console asks (console/frame/pins.ts). */
const interval = 1_400;
/** ms of a phase before it is measured: each user has asked for all eight by then, which they do once, when they come. */
const settled = 2 * interval;

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

/** One of the two processes that serve the console. */
interface Side {
  readonly url: string;
  readonly pid: number;
  /** Of its connections, in pg_stat_activity. */
  readonly name: string;
}

/** What one phase used: CPU time (ms) of each side with its connections, and of everything. */
interface Phase {
  readonly written: readonly [number, number];
  readonly used: readonly [number, number];
  readonly postgres: readonly [number, number];
  readonly whole: number;
  readonly ages: readonly number[];
  readonly asks: number;
}

/** Reads the CPU time of the sides and of their connections, also of connections that have been closed. */
function meterOf({ owner }: TestDatabase, sides: readonly [Side, Side], postmaster: number) {
  const seen = new Map<number, { readonly side: number; ms: number }>();
  const look = async () => {
    const { rows } = await owner.query<{ name: string; pid: number }>("select application_name as name, pid from pg_stat_activity");
    for (const { name, pid } of rows) {
      const side = sides.findIndex((one) => one.name === name);
      if (side >= 0 && !seen.has(pid)) seen.set(pid, { side, ms: 0 });
    }
    for (const [pid, one] of seen) one.ms = cpuOfOne(pid) ?? one.ms;
  };
  return {
    look,
    async read() {
      await look();
      const postgres = (side: number) => [...seen.values()].reduce((sum, one) => sum + (one.side === side ? one.ms : 0), 0);
      const both = [postgres(0), postgres(1)] as const;
      const used = (side: 0 | 1) => both[side] + (cpuOfOne(sides[side].pid) ?? Number.NaN);
      return { postgres: both, used: [used(0), used(1)] as const, whole: cpuOf([...sides.map(({ pid }) => pid), postmaster]) };
    },
  };
}

/**
 * What fifty users with eight pinned views each cost a server that takes 200 withdrawals a second, and how old their figures become. Two
 * processes of the server take half of the writes each, on one database, and one of them answers the views besides: what it uses more than
 * the other at the same time is theirs. As a difference between one time and another, that would be lost in how much writes vary (±15 %
 * from one phase to the next). Each process answers the views in turn, because one of them does what is done once for both.
 */
export async function benchPins(): Promise<PinFigures[]> {
  const first = await serverProcess();
  await first.start();
  const outside = await outsideOf(first);
  const { db, served } = outside;
  const second = await serverProcess({ DATA_DIR: first.dataDir });
  const names = async () => {
    const { rows } = await db.owner.query<{ name: string }>(
      "select distinct application_name as name from pg_stat_activity where application_name like 'countinghouse ________-%'",
    );
    return rows.map(({ name }) => name);
  };
  const [firstName = ""] = await names();
  await second.start();
  try {
    const secondName = (await names()).find((name) => name !== firstName) ?? "";
    const sides: readonly [Side, Side] = [
      { url: first.url, pid: first.pid, name: firstName },
      { url: second.url, pid: second.pid, name: secondName },
    ];
    const office = await makeOffice(db, { settings: { claim_limit: 100 } });
    const merchant = await makeSigningMerchant(db, served.deps, office.tenant, { wallet: "1000000000" });
    await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "1000000000" })], [merchant]);
    const rights = ["pas.transaction.withdrawals.view", "pas.transaction.deposits.view", "pas.transaction.bank-transactions.view"];
    /** The person's connections to each side. */
    const callerOf = async ({ id }: Person, permissions: readonly string[], connections: number) => {
      await db.owner.query("update memberships set permissions = $2 where user_id = $1", [id, permissions]);
      const { access_token: token } = await sessionOf(served.deps, id);
      return sides.map(({ url }) => caller(url, token, office.tenant.id, office.tenant.currency, connections));
    };
    const decides = [routes.claimWithdrawals.permission, routes.approveWithdrawals.permission];
    const operator = await callerOf(await makePerson(db, office.tenant, "Operator"), decides, most / 2);
    const people = await Promise.all(Array.from({ length: users }, (_, n) => makePerson(db, office.tenant, `User ${n}`)));
    const callers = await Promise.all(people.map((person) => callerOf(person, rights, 1)));
    // a queue of some length stands there all the while
    for (let n = 0; n < standing; n++) await office.withdraw(merchant, { amount: "100.00", member: `S${n}` });
    const postmaster = Number(readFileSync(join(first.dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
    const meter = meterOf(db, sides, postmaster);
    await db.owner.query("vacuum analyze");

    // every withdrawal to a payee of its own, because one that is paid again must be confirmed
    let begun = 0;
    const run = async (lists: ((user: number) => Lists) | null, viewed: 0 | 1 = 0, writes = true): Promise<Phase> => {
      const until = performance.now() + settled + phase;
      const [ages, written]: [number[], [number, number]] = [[], [0, 0]];
      const metering = setInterval(() => void meter.look(), 500);
      let asks = 0;
      // two writes each, so that the queue stays as long as it is; one that is refused, because the machine is busy, is not counted
      const write = async (side: 0 | 1) => {
        const made = await create(outside.at(sides[side]), "createWithdrawal", merchant, begun++);
        if (made === null) return;
        written[side]++;
        const rows = [{ uuid: made, version: 1, claim: true }];
        const { text } = (await operator[side]?.call("POST", routes.approveWithdrawals.path, { rows })) ?? { text: "" };
        if (text.includes('"done":true')) written[side]++;
        else if (!text.includes("request.busy")) throw new Error(`not approved: ${text}`);
      };
      const writing = async (side: 0 | 1) => {
        const [start, under] = [performance.now(), new Set<Promise<void>>()];
        if (!writes) await pause(settled + phase);
        for (let n = 0; performance.now() < until; n++) {
          await pause(Math.max(0, start + (n * 4_000) / perSecond - performance.now()));
          const one = write(side).finally(() => under.delete(one));
          under.add(one);
          if (under.size >= most / 2) await Promise.race(under);
        }
        await Promise.all(under);
      };
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
          const answer = await callers[user]?.[viewed]?.call("POST", routes.readPinFigures.path, { lists: asked });
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
      const measuring = (async () => {
        await pause(settled);
        written.fill(0);
        asks = 0;
        return meter.read();
      })();
      await Promise.all([writing(0), writing(1), ...Array.from({ length: users }, (_, user) => watch(user))]);
      clearInterval(metering);
      const [began, ended] = [await measuring, await meter.read()];
      const during = (of: "used" | "postgres") => [ended[of][0] - began[of][0], ended[of][1] - began[of][1]] as const;
      return { written, ages, asks, used: during("used"), postgres: during("postgres"), whole: ended.whole - began.whole };
    };

    const kinds = [
      ["the same eight for all 50 users", () => listsOf(0)],
      ["eight of their own for each of 50 users", (user: number) => listsOf(user + 1)],
    ] as const;
    await run(null); // warm
    for (const side of [0, 1] as const) await run(kinds[1][1], side);
    const [idle, without]: [Phase[], Phase[]] = [[], []];
    const ran = new Map<string, Phase[][]>();
    for (let round = 0; round < rounds; round++) {
      idle.push(await run(null, 0, false));
      without.push(await run(null));
      for (const [what, lists] of kinds) ran.set(what, [...(ran.get(what) ?? []), [await run(lists, 0), await run(lists, 1)]]);
    }
    for (const { close } of [...callers, operator].flat()) close();
    const sum = (figures: readonly number[]) => figures.reduce((all, one) => all + one, 0);
    const writtenIn = ({ written }: Phase) => written[0] + written[1];
    const write = (sum(without.map(({ whole }) => whole)) - sum(idle.map(({ whole }) => whole))) / sum(without.map(writtenIn));
    /** What the side that answers views uses more than the other does for as many writes; the phases of both sides in turn. */
    const viewsOf = (phases: readonly Phase[], of: "used" | "postgres") =>
      sum(
        phases.map(({ [of]: used, written }, n) => {
          const [viewed, other] = n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
          return used[viewed] - (used[other] * written[viewed]) / written[other];
        }),
      );
    const shareOf = (phases: readonly Phase[]) => viewsOf(phases, "used") / ((phases.length * phase) / 1_000) / (perSecond * write);
    return kinds.map(([what]) => {
      const all = ran.get(what) ?? [];
      const phases = all.flat();
      const [ages, asks] = [phases.flatMap((one) => one.ages), sum(phases.map((one) => one.asks))];
      return {
        what,
        writesPerSecond: (sum(phases.map(writtenIn)) * 1_000) / phase / phases.length,
        write,
        reading: viewsOf(phases, "used") / asks,
        inPostgres: viewsOf(phases, "postgres") / viewsOf(phases, "used"),
        shareAt200: shareOf(phases),
        sharesOfRounds: all.map(shareOf).toSorted((a, b) => a - b),
        oldest: percentile(ages, 1),
        p99: percentile(ages, 0.99),
        asks,
      };
    });
  } finally {
    await outside.close();
    await second.end();
    await first.end();
  }
}
