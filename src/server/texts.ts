import { readFileSync } from "node:fs";
import type { ProblemCode } from "../contract/problems.ts";

const english = JSON.parse(readFileSync(new URL("../../locales/en.json", import.meta.url), "utf8")) as Record<string, string>; // checked by tests/locales.test.ts

/** The English text of a refusal; the console words it in its own language by the code. */
export function problemText(code: ProblemCode): string {
  return english[`problem.${code}`] ?? code;
}
