import type { AnyCommand } from "./command.ts";
import type { Context } from "./context.ts";
import type { Registry } from "./registry.ts";

const most = 6;
const mostOfRow = 3;

/** The four to six commands worth a key cap now: those of the row first, then the standing hints. */
export function usefulKeys(registry: Registry, context: Context): AnyCommand[] {
  const ready = registry
    .list()
    .filter((command) => command.keys !== undefined && command.quiet !== true && registry.judge(command, context).state === "ready");
  const ofRow = ready.filter((command) => command.subject !== null && command.takes !== "none");
  const hints = ready.filter((command) => command.hint === true && !ofRow.slice(0, mostOfRow).includes(command));
  return [...ofRow.slice(0, mostOfRow), ...hints].slice(0, most);
}
