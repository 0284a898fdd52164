import type { ScreenName } from "../../contract/screens.ts";
import type { Entity } from "../entity/entity.ts";
import { entityQueryList } from "../entity/query-list.ts";
import type { QueryList } from "../kit/query/query-list.ts";
import { decisionQueryList } from "../transactions/query-list.ts";

/** The descriptions of plain lists, by their file. */
const entities = import.meta.glob<Readonly<Record<string, Entity>>>("./*/*-entity.ts");

const decisions: Partial<Record<ScreenName, () => Promise<QueryList>>> = {
  withdrawals: async () => decisionQueryList((await import("./withdrawals/withdrawals.ts")).withdrawals),
  deposits: async () => decisionQueryList((await import("./deposits/deposits.ts")).deposits),
};

/** The list of a screen as query lines ask it; null where the screen has none. */
export async function loadQueryList(screen: ScreenName): Promise<QueryList | null> {
  const decided = await decisions[screen]?.();
  if (decided !== undefined) return decided;
  const [, load] = Object.entries(entities).find(([path]) => path.endsWith(`/${screen}-entity.ts`)) ?? [];
  const entity = load === undefined ? undefined : Object.values(await load()).find((one) => one.screen === screen);
  return entity === undefined || entity.parent !== undefined ? null : entityQueryList(entity);
}
