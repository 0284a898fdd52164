import type { ScreenName } from "../../contract/screens.ts";
import type { Api } from "../api/api.ts";
import type { Entity } from "../entity/entity.ts";
import { entityQueryList } from "../entity/query-list.ts";
import type { QueryListOfRecords } from "../lists/filter-records.ts";
import { decisionQueryList } from "../transactions/query-list.ts";

/** The descriptions of plain lists, in the folders of their screens. */
const entities = import.meta.glob<Readonly<Record<string, Entity>>>("./*/*-entity.ts");

/** Those of every other list. */
const others: Partial<Record<ScreenName, (api: Api) => Promise<QueryListOfRecords>>> = {
  withdrawals: async (api) => decisionQueryList((await import("./withdrawals/withdrawals.ts")).withdrawals, api),
  deposits: async (api) => decisionQueryList((await import("./deposits/deposits.ts")).deposits, api),
  "payment-account-live-balances": async (api) => (await import("./payment-account-live-balances/live-query-list.ts")).liveQueryList(api),
};

/** The list of a screen as query lines ask it; null where the screen has none. */
export async function loadQueryList(screen: ScreenName, api: Api): Promise<QueryListOfRecords | null> {
  const other = await others[screen]?.(api);
  if (other !== undefined) return other;
  const [, load] = Object.entries(entities).find(([path]) => path.startsWith(`./${screen}/`)) ?? [];
  const entity = load === undefined ? undefined : Object.values(await load()).find((one) => one.screen === screen);
  return entity === undefined ? null : entityQueryList(entity, api);
}
