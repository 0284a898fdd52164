import type { Deps } from "../call.ts";
import type { Moved } from "./match.ts";

/** Announces the lines, transactions and accounts an act concerned; call it after the commit. */
export function publishMoved({ publisher }: Pick<Deps, "publisher">, tenant: string, moved: Moved): void {
  for (const [event, kind] of [
    ["deposit", "deposit"],
    ["withdraw", "withdrawal"],
  ] as const) {
    const uuids = [...moved.transactions].flatMap(([id, of]) => (of === kind ? [id] : []));
    if (uuids.length > 0) publisher.changed(tenant, event, uuids);
  }
  if (moved.lines.size > 0) publisher.changed(tenant, "bankLine", [...moved.lines]);
  if (moved.accounts.size > 0) publisher.changed(tenant, "paymentAccount", [...moved.accounts]);
}
