import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { project } from "./parts.ts";

/** Which files to run, and of them which names. */
export interface Selection {
  readonly files: readonly string[];
  readonly names?: string;
}

const inRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** The files whose path holds a pattern; where a pattern is in no path, the tests whose names hold one. */
export function select(patterns: readonly string[]): Selection {
  const all = globSync("tests/**/*.test.ts", { cwd: project, exclude: ["tests/bench/**", "tests/deep/**"] }).toSorted();
  const wanted = patterns.map((pattern) => pattern.toLowerCase());
  const withPath = (pattern: string) => all.filter((file) => file.toLowerCase().includes(pattern));
  if (wanted.every((pattern) => withPath(pattern).length > 0)) return { files: [...new Set(wanted.flatMap(withPath))] };
  // a file that holds the words need not be looked for in the others; a generated name is in none
  const saying = all.filter((file) => {
    const text = readFileSync(join(project, file), "utf8").toLowerCase();
    return wanted.some((pattern) => text.includes(pattern));
  });
  return { files: saying.length > 0 ? saying : all, names: patterns.map(inRegExp).join("|") };
}
