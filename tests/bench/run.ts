import { cpus, totalmem } from "node:os";
import { resolve } from "node:path";
import { buildConsole } from "../../src/server/console-build.ts";
import { benchFirstPaint } from "./first-paint.ts";
import { runGridBench } from "./grid/run.ts";
import { runPaletteBench } from "./palette.ts";
import { benchQueryLine } from "./query-line.ts";
import type { ActFigures } from "./server/acts.ts";
import { benchAlike } from "./server/alike.ts";
import { benchApprovals } from "./server/approvals.ts";
import { benchImports } from "./server/bank-imports.ts";
import { benchCallbacks } from "./server/callbacks.ts";
import { benchClaims } from "./server/claims.ts";
import { benchCreations } from "./server/creations.ts";
import { benchExports } from "./server/exports.ts";
import type { FloorFigures } from "./server/floor.ts";
import { benchLists, listCounts } from "./server/lists.ts";
import { benchMatches } from "./server/matches.ts";
import { benchMatching } from "./server/matching.ts";
import { benchPartitions } from "./server/partitions.ts";
import { benchPayouts } from "./server/payouts.ts";
import { benchPins } from "./server/pins.ts";
import { benchReports } from "./server/reports.ts";
import { benchRevocations } from "./server/revocations.ts";
import { benchScreens } from "./server/screens.ts";
import { benchStops } from "./server/stops.ts";
import { benchYear } from "./server/year.ts";
import { percentile } from "./server/caller.ts";
import { benchTiles } from "./tiles.ts";
import { firstFonts, firstScreen } from "../support/sizes.ts";

/** `npm run bench`: figures as one table, for the README; with names of parts, those alone. It never fails on a time. */

const project = resolve(import.meta.dirname, "../..");
const ms = (value: number) => `${value.toFixed(1)} ms`;
const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;

const say = (line: string) => process.stderr.write(`${line}\n`);
const table: [what: string, figure: string, goal: string][] = [];

/** Acts over HTTP beside their floor. */
function besideFloor({ perSecond, p50, p99, cpu, floors }: ActFigures): string {
  const told = floors.map(
    (floor) => `${floor.perSecond.toFixed(0)}/s at ${floor.connections} (p50 ${ms(floor.p50)}, p99 ${ms(floor.p99)})`,
  );
  const best = Math.max(...floors.map((floor) => floor.perSecond));
  return `${perSecond.toFixed(0)}/s, p50 ${ms(p50)}, p99 ${ms(p99)} (${(p99 / p50).toFixed(1)} × p50), CPU ${ms(cpu.server)} of the server and ${ms(cpu.postgres)} of PostgreSQL each; the function ${told.join(", ")}; ratio to its best ${(perSecond / best).toFixed(2)}`;
}

/** The floor's rate, and ours as a share of it. */
function overFloor(perSecond: number, floors: readonly FloorFigures[]): string {
  const best = Math.max(...floors.map((floor) => floor.perSecond));
  return `${best.toFixed(0)}/s (ratio ${(perSecond / best).toFixed(2)})`;
}

/** Each adds its lines to the table; the last two take the longest, because they fill the largest tables. */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  async sizes() {
    const dist = await buildConsole(project, () => undefined);
    const { script, style } = firstScreen(dist);
    const sizes = [script, style, firstFonts(dist)].map(kilobytes);
    table.push(["First screen, script + style + icons (gzip)", sizes.join(" + "), "≤ 300 kB"]);
  },
  async lists() {
    const { starts, lists, search, counters } = await benchLists(listCounts);
    table.push(["Start with demo data, first run", seconds(starts.first), "≤ 20 s"], ["Start, later", seconds(starts.later), "≤ 3 s"]);
    const at = listCounts.map((count) => count.toLocaleString("en-US")).join(" and ");
    for (const [figures, goal] of [
      [lists, "p95 ≤ 25 ms, or ≤ 1.5 × of the few"],
      [search.map((one) => ({ ...one, what: `search box: ${one.what}` })), "p95 ≤ 50 ms"],
      [counters, ""],
    ] as const)
      for (const { what, at: times } of figures)
        table.push([
          `${what}, ${at} transactions`,
          `p50 ${times.map(({ p50 }) => ms(p50)).join(" and ")}, p95 ${times.map(({ p95 }) => ms(p95)).join(" and ")}`,
          goal,
        ]);
  },
  async screens() {
    const counts = [10_000, 1_000_000] as const;
    for (const { what, p95 } of await benchScreens(counts)) {
      const [few = 0, many = 0] = p95;
      table.push([
        `${what}, ${counts.map((count) => count.toLocaleString("en-US")).join(" and ")} transactions`,
        `p95 ${ms(few)} and ${ms(many)}, ratio ${(many / few).toFixed(2)}`,
        "≤ 1.5 × of the few",
      ]);
    }
  },
  async approvals() {
    const { spread, hot } = await benchApprovals();
    for (const [where, { unguarded, ...figures }, share] of [
      ["20 wallets", spread, 0.7],
      ["one hot wallet", hot, 0.8],
    ] as const)
      table.push([
        `Approvals over HTTP, ${where}, 32 connections, and the same rows by one prepared function`,
        `${besideFloor(figures)}; the function without triggers and foreign keys ${unguarded.perSecond.toFixed(0)}/s`,
        `≥ ${share} × the function, p99 ≤ 3 × p50`,
      ]);
  },
  /** The tables that grow beside the transactions, as a year leaves them. */
  async year() {
    const { fresh, aged, ratios, rows } = await benchYear();
    const sorted = ratios.toSorted((a, b) => a - b);
    table.push([
      `Approvals over HTTP, 20 wallets, beside ${rows.toLocaleString("en-US")} rows that a year leaves in side tables, and without`,
      `${aged.toFixed(0)}/s and ${fresh.toFixed(0)}/s, ratio ${percentile(ratios, 0.5).toFixed(2)} (of ${ratios.length} pairs of rounds; ${sorted[0]?.toFixed(2)} to ${sorted.at(-1)?.toFixed(2)})`,
      "ratio ≥ 0.95",
    ]);
  },
  async claims() {
    for (const { what, ...figures } of await benchClaims())
      table.push([
        `Claims over HTTP, ${what}, 32 operators at once, and the same rows by one prepared function`,
        besideFloor(figures),
        "≥ 0.7 × the function, p99 ≤ 3 × p50",
      ]);
  },
  async matches() {
    table.push([
      "Bank lines matched to pending deposits over HTTP, 32 at once, and the same rows by one prepared function",
      besideFloor(await benchMatches()),
      "≥ 0.7 × the function, p99 ≤ 3 × p50",
    ]);
  },
  async creations() {
    for (const processes of [1, 3]) {
      const { deposits, withdrawals, refused, calm, duringDeposits, duringWithdrawals, floors } = await benchCreations(processes);
      const at = processes === 1 ? "one process" : `${processes} processes`;
      table.push(
        [
          `Creation over HTTP by one merchant, 64 in flight, ${at}`,
          `deposits ${deposits.toFixed(0)}/s, withdrawals ${withdrawals.toFixed(0)}/s, ${refused} refused${floors === null ? "" : `; by one prepared function ${overFloor(deposits, floors.deposits)} and ${overFloor(withdrawals, floors.withdrawals)}`}`,
          "deposits ≥ 0.7 × withdrawals, none refused",
        ],
        [
          `Another tenant's list meanwhile, ${at}`,
          `p95 ${ms(calm)} calm, ${ms(duringDeposits)} beside deposits, ${ms(duringWithdrawals)} beside withdrawals`,
          "≤ 3 × calm",
        ],
      );
    }
  },
  async callbacks() {
    for (const processes of [1, 3]) {
      const { sameTenant, otherTenant, drained } = await benchCallbacks(processes);
      const at = processes === 1 ? "one process" : `${processes} processes`;
      table.push(
        [
          `A callback from due to told beside 700 due at an endpoint that hangs, ${at}`,
          `same tenant p50 ${ms(sameTenant.p50)}, most ${ms(sameTenant.most)}; another p50 ${ms(otherTenant.p50)}, most ${ms(otherTenant.most)}`,
          "≤ 1 s",
        ],
        [`Callbacks one endpoint with 700 due is told meanwhile, ${at}`, `${drained.toFixed(0)}/s`, ""],
      );
    }
  },
  async matching() {
    const { deposits, lines, automatic, wrong, asked, right, milliseconds } = await benchMatching();
    const share = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`;
    table.push(
      [
        `${lines.toLocaleString("en-US")} noisy bank lines against ${deposits.toLocaleString("en-US")} deposits: matched automatically`,
        `${share(automatic, lines)}, ${wrong.length} wrong, in ${seconds(milliseconds)}`,
        "none wrong",
      ],
      ["Of those left, the right deposit among the first five", `${share(right, asked)} of ${asked}`, ""],
    );
  },
  async imports() {
    for (const { what, preview, whole, before, most, added, known } of await benchImports())
      table.push([
        `50,000 bank lines imported: ${what}`,
        `preview ${seconds(preview)}, import ${seconds(whole)}, ${added.toLocaleString("en-US")} new, ${known.toLocaleString("en-US")} known; memory ${megabytes(before)}, most ${megabytes(most)}`,
        "each line once",
      ]);
  },
  async exports() {
    for (const one of await benchExports([100_000, 1_000_000]))
      table.push([
        `Export of ${one.rows.toLocaleString("en-US")} bank lines beside ${one.writesPerSecond.toFixed(0)} writes a second`,
        `first rows ${seconds(one.firstRows)}, whole ${seconds(one.whole)}, ${megabytes(one.fileBytes)}, download's first byte ${ms(one.firstByte)}; memory ${megabytes(one.before)}, most ${megabytes(one.most)}; a page of the list p95 ${ms(one.calm)} before, ${ms(one.beside)} meanwhile; count and sum ${one.isRight ? "are SQL's" : "ARE NOT SQL'S"}`,
        "first rows ≤ 2 s, ≤ 150 MB above idle, pages ≤ 2 × before",
      ]);
  },
  async payouts() {
    const share = (part: number) => `${(100 * part).toFixed(1)} %`;
    for (const { what, prefer, p50, most, number, sum } of await benchPayouts())
      table.push([
        `A plan of 1,000 payouts over 60 accounts ${what}, the most ${prefer} first`,
        `p50 ${ms(p50)}, most ${ms(most)}; at least ${share(number)} of the number, ${share(sum)} of the sum`,
        `≤ 300 ms, ≥ 98 % of the ${prefer}`,
      ]);
  },
  async pins() {
    for (const { what, writesPerSecond, write, reading, inPostgres, shareAt200, sharesOfRounds, oldest, p99, asks } of await benchPins())
      table.push([
        `Pinned views, ${what}, beside ${writesPerSecond.toFixed(0)} writes a second (created, claimed and approved)`,
        `${ms(write)} of CPU a write, ${ms(reading)} a reading, ${(inPostgres * 100).toFixed(0)} % of it in PostgreSQL; that is ${percent(shareAt200)} more at 200 writes a second (${sharesOfRounds.length} rounds, each alone: ${sharesOfRounds.map(percent).join(", ")}); figures at most ${ms(oldest)} old, p99 ${ms(p99)}, ${asks.toLocaleString("en-US")} readings`,
        "≤ 5 % more, ≤ 2 s old",
      ]);
  },
  async stops() {
    for (const { what, most, times } of await benchStops())
      table.push([`An orderly stop while ${what}`, `most ${seconds(most)} of ${times}`, "≤ 10 s"]);
  },
  async "sign-in"() {
    for (const { what, known, unknown, gap, pairs } of await benchAlike())
      table.push([
        `Answer to a known and an unknown address: ${what}`,
        `p50 ${ms(known.p50)} and ${ms(unknown.p50)}, p95 ${ms(known.p95)} and ${ms(unknown.p95)}; median gap ${ms(gap)} of ${pairs.toLocaleString("en-US")} pairs`,
        "median gap < 10 ms",
      ]);
  },
  async revocations() {
    for (const { what, p50, most, times } of await benchRevocations())
      table.push([`A session's end to the close of its socket: ${what}`, `p50 ${ms(p50)}, most ${ms(most)} of ${times}`, "≤ 1 s"]);
  },
  async palette() {
    for (const { what, p50, p95, p99 } of await runPaletteBench())
      table.push([`Key to paint, palette: ${what}`, `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`, "within a frame of the key"]);
  },
  async "query-line"() {
    for (const { what, p50, p95, p99, changed, keys } of await benchQueryLine())
      table.push([
        `Key to painted completion of a query line: ${what}`,
        `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}; ${changed} of ${keys} keys changed what is offered`,
        "within a frame (16.7 ms) of the floor",
      ]);
  },
  async grid() {
    const { keys, wheels, blanks, heaps } = await runGridBench();
    for (const { what, p50, p95, p99 } of keys)
      table.push([`Key to paint, ${what}`, `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`, "p95 ≤ 50 ms, p50 ≤ floor + 4 ms"]);
    for (const { what, p95, dropped, cpu } of wheels)
      table.push([
        `Wheel at 3,000 px/s for 5 s, ${what}`,
        `p95 ${ms(p95)} a frame, ${dropped.toFixed(1)} % late, main thread ${cpu.toFixed(0)} ms a second`,
        "late as the floor",
      ]);
    for (const { what, frames, blankFrames, blankShare, restShare, restRows } of blanks)
      table.push([
        `Places without their row under that wheel, ${what}`,
        `${blankFrames} of ${frames} painted frames, ${blankShare.toFixed(2)} % of the view; at rest ${restShare.toFixed(2)} %, ${restRows} rows wrong`,
        "none at rest",
      ]);
    for (const { what, before, after } of heaps)
      table.push([`Script heap, ${what}`, `${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after all of it`, ""]);
  },
  async "first-paint"() {
    for (const { what, p50, most, ratio, bytes } of await benchFirstPaint())
      table.push([
        `First rows painted with an empty cache, 10 Mbit/s and 40 ms: ${what}`,
        `p50 ${ms(p50)}, most ${ms(most)}, ${ratio.toFixed(2)} × the floor that fetches as much; ${kilobytes(bytes)}`,
        "≤ 1.5 × that floor",
      ]);
  },
  async tiles() {
    for (const { what, p95, dropped, cpu } of await benchTiles(10_000))
      table.push([
        `Wheel at 3,000 px/s for 5 s, ${what}`,
        `p95 ${ms(p95)} a frame, ${dropped.toFixed(1)} % late, main thread ${cpu.toFixed(0)} ms a second`,
        "late as the floor",
      ]);
  },
  /** BENCH_ENTRIES: as many at most, because ten million take half an hour to seed. */
  async reports() {
    const most = Number(process.env["BENCH_ENTRIES"] ?? 10_000_000);
    const { entries, figures } = await benchReports([10_000, 1_000_000, 10_000_000].filter((count) => count <= most));
    for (const { what, p95 } of figures)
      table.push([
        `${what}, ${entries.map((count) => count.toLocaleString("en-US")).join(", ")} ledger entries`,
        `p95 ${p95.map(ms).join(", ")}, ratio ${((p95.at(-1) ?? Number.NaN) / (p95[0] ?? Number.NaN)).toFixed(2)}`,
        "≤ 100 ms, ≤ 1.5 × of the few",
      ]);
  },
  async partitions() {
    const count = 1_000_000;
    const { months, figures } = await benchPartitions(count);
    const told = figures
      .map(({ what, whole, divided }) => ({ ratio: divided / whole, text: `${what}: ${ms(whole)} and ${ms(divided)}` }))
      .toSorted((a, b) => a.ratio - b.ratio);
    const [best, worst] = [told[0], told.at(-1)];
    table.push([
      `${figures.length} questions of lists over ${count.toLocaleString("en-US")} transactions, of one table and of one divided into ${months} months`,
      `divided takes ${percentile(
        told.map(({ ratio }) => ratio),
        0.5,
      ).toFixed(
        2,
      )} × (median), ${best?.ratio.toFixed(2)} × at best (${best?.text}), ${worst?.ratio.toFixed(2)} × at worst (${worst?.text})`,
      "",
    ]);
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  say(`no part is called ${unknown.join(", ")}: there are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
const line = (row: readonly string[]) => `| ${row.join(" | ")} |`;
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  say(name);
  const [told, began] = [table.length, performance.now()];
  try {
    await measure(); // oxlint-disable-line no-await-in-loop -- figures beside each other would be each other's load
  } catch (error) {
    // what the other parts measure in an hour or more is not lost with this one
    console.error(error);
    say(`${name} has failed`);
    process.exitCode = 1;
  }
  say(`${table.slice(told).map(line).join("\n")}\n${name} took ${seconds(performance.now() - began)}`);
}

const [cpu] = cpus();
process.stdout.write(
  `\n${cpus().length} × ${cpu?.model ?? "?"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node.js ${process.versions.node}, embedded PostgreSQL 18, caller on the same machine\n\n` +
    `| What | Figure | Goal |\n| --- | --- | --- |\n${table.map(line).join("\n")}\n`,
);
