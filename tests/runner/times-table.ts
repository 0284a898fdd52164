import { existsSync, readFileSync } from "node:fs";
import type { TimeLine } from "../support/times.ts";
import type { Outcome } from "./parts.ts";
import { timesOf } from "./parts.ts";

const kinds = ["load", "database", "invariants", "server", "browser", "sign-in", "rest"] as const;

/** ms by what they were spent on; "whole" is without "load". */
type Sums = Record<TimeLine["what"], number>;
const none = (): Sums => ({ whole: 0, load: 0, database: 0, invariants: 0, server: 0, browser: 0, "sign-in": 0, rest: 0 });

function sumsOf(title: string): Map<string, Sums> {
  const files = new Map<string, Sums>();
  if (!existsSync(timesOf(title))) return files;
  for (const line of readFileSync(timesOf(title), "utf8").split("\n")) {
    if (line === "") continue;
    const { file, what, ms } = JSON.parse(line) as TimeLine; // our own reporter's
    const sums = files.get(file) ?? none();
    sums[what] += ms;
    files.set(file, sums);
  }
  return files;
}

const inAll = ({ whole, load }: Sums) => whole + load;
/** What is left beside the known ways to spend time. */
const act = (sums: Sums) => Math.max(0, inAll(sums) - kinds.reduce((total, kind) => total + sums[kind], 0));
const cell = (ms: number, width: number) => (ms < 50 ? "·" : (ms / 1000).toFixed(1)).padStart(width);
const row = (name: string, sums: Sums) =>
  `${name.padEnd(52)}${cell(inAll(sums), 8)}${kinds.map((kind) => cell(sums[kind], 11)).join("")}${cell(act(sums), 9)}\n`;

/** By part, by file and by what it was spent on: seconds. */
export function timesTable(outcomes: readonly Outcome[]): string {
  let text = `\nWhere the time goes, in seconds\n\n${"part".padEnd(52)}${"wall".padStart(8)}${"files".padStart(8)}\n`;
  const parts = outcomes.map((outcome) => ({ ...outcome, files: sumsOf(outcome.title) }));
  for (const { title, seconds, files } of parts) {
    text += `${title.padEnd(52)}${seconds.toFixed(1).padStart(8)}${(files.size > 0 ? String(files.size) : "").padStart(8)}\n`;
  }
  const head = `${"all".padStart(8)}${kinds.map((kind) => kind.padStart(11)).join("")}${"the act".padStart(9)}\n`;
  for (const { title, files } of parts) {
    if (files.size === 0) continue;
    text += `\n${title.padEnd(52)}${head}`;
    const total = none();
    for (const sums of files.values()) for (const kind of [...kinds, "whole"] as const) total[kind] += sums[kind];
    text += row("all files", total);
    for (const [file, sums] of [...files].toSorted(([, a], [, b]) => inAll(b) - inAll(a))) text += row(file, sums);
  }
  return text;
}
