import type { AnyCommand } from "../commands/command.ts";
import type { Context } from "../commands/context.ts";
import { isPassing } from "../commands/registry.ts";
import type { Registry } from "../commands/registry.ts";

const most = 6;
const mostOfRow = 3;

export interface UsefulKey {
  readonly command: AnyCommand;
  /** false: refused, but only for a moment. */
  readonly ready: boolean;
}

/** The decision on the row first, then what else it offers, then the constant hints. */
function rank({ danger, hint }: AnyCommand): number {
  if (danger === "money" && hint === true) return 0;
  return hint === true ? 1 : 2;
}

/**
 * The four to six commands worth a key cap now: the row's first, above all its decision, then constant hints. A command refused
 * only for a moment keeps its place, so that no key moves under the user's eyes.
 */
export function usefulKeys(registry: Registry, context: Context): UsefulKey[] {
  const useful = registry.list().flatMap((command): UsefulKey[] => {
    if (command.keys === undefined || command.quiet === true) return [];
    const verdict = registry.judge(command, context);
    if (verdict.state === "ready") return [{ command, ready: true }];
    return isPassing(command, verdict) ? [{ command, ready: false }] : [];
  });
  const ofRow = useful
    .filter(({ command }) => command.subject !== null && command.takes !== "none")
    .toSorted((a, b) => rank(a.command) - rank(b.command))
    .slice(0, mostOfRow);
  const hints = useful.filter((one) => one.command.hint === true && !ofRow.includes(one));
  return [...ofRow, ...hints].slice(0, most);
}
