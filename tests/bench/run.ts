import { cpus, totalmem } from "node:os";
import { resolve } from "node:path";
import { buildConsole } from "../../src/server/console-build.ts";
import { runGridBench } from "./grid/run.ts";
import { benchApprovals } from "./server/approvals.ts";
import { benchLists } from "./server/lists.ts";
import { firstScreen } from "../support/sizes.ts";

/** `npm run bench`: figures as one table, for the README. It never fails on a time. */

const project = resolve(import.meta.dirname, "../..");
const ms = (value: number) => `${value.toFixed(1)} ms`;
const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`;
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;

const say = (line: string) => process.stderr.write(`${line}\n`);
const table: [what: string, figure: string, goal: string][] = [];
const dist = await buildConsole(project, () => undefined);
const sizes = firstScreen(dist);
table.push(["First screen, script + style (gzip)", `${kilobytes(sizes.script)} + ${kilobytes(sizes.style)}`, "≤ 300 kB"]);

say("lists");
const { starts, lists } = await benchLists([50_000, 1_000_000]);
table.push(["Start with demo data, first run", seconds(starts.first), "≤ 20 s"], ["Start, later", seconds(starts.later), "≤ 3 s"]);
for (const { rows, what, p50, p95 } of lists)
  table.push([
    `List of withdrawals, ${rows.toLocaleString("en-US")} transactions: ${what}`,
    `p50 ${ms(p50)}, p95 ${ms(p95)}`,
    "p95 ≤ 25 ms",
  ]);

say("approvals");
const { spread, hot } = await benchApprovals();
table.push(
  [
    "Approvals over HTTP, 20 wallets, 32 connections",
    `${spread.perSecond.toFixed(0)}/s, p50 ${ms(spread.p50)}, p99 ${ms(spread.p99)}`,
    "≥ 600/s, p99 ≤ 150 ms",
  ],
  [
    "Approvals over HTTP, one hot wallet, 32 connections",
    `${hot.perSecond.toFixed(0)}/s, p50 ${ms(hot.p50)}, p99 ${ms(hot.p99)}`,
    "≥ 300/s",
  ],
);

say("grid");
const { keys, scrolls } = await runGridBench();
for (const { what, p50, p95, p99 } of keys)
  table.push([`Key to paint, ${what}`, `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`, "p95 ≤ 50 ms, p50 ≤ floor + 4 ms"]);
for (const { what, p95, dropped, blankFrames, blankAtRest, heap } of scrolls)
  table.push([
    `Wheel at 3,000 px/s for 5 s, 100 cells a second changing, ${what}`,
    `p95 ${ms(p95)} a frame, ${dropped.toFixed(1)} % late, ${blankFrames} frames with a blank row, ${blankAtRest} blank at rest, ${heap.toFixed(0)} MB heap`,
    "no blank row at rest, late as the floor",
  ]);

const [cpu] = cpus();
process.stdout.write(
  `\n${cpus().length} × ${cpu?.model ?? "?"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node.js ${process.versions.node}, embedded PostgreSQL 18, caller on the same machine\n\n` +
    `| What | Figure | Goal |\n| --- | --- | --- |\n${table.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`,
);
