import { expect, test } from "vitest";
import { masterAccountColumns, masterAccountRoutes } from "../../../src/contract/master-accounts.ts";
import { scoreWatcherColumns, scoreWatcherRoutes } from "../../../src/contract/score-watchers.ts";
import { masterAccountHandlers } from "../../../src/server/game-provider/master-accounts.ts";
import { scoreWatcherHandlers } from "../../../src/server/game-provider/score-watchers.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeOffice } from "../../support/payments.ts";
import { makeWatcher } from "../../support/score-watchers.ts";

const db = testDatabase();

const lists = [
  ["master accounts", masterAccountColumns, masterAccountRoutes.listMasterAccounts, masterAccountHandlers.listMasterAccounts],
  ["score watchers", scoreWatcherColumns, scoreWatcherRoutes.listScoreWatchers, scoreWatcherHandlers.listScoreWatchers],
] as const;

test.each(lists)("%s are paged whole in every order, those without a value, too", async (_, columns, route, list) => {
  const office = await makeOffice(db);
  const known = { balance: "5", last_checked_at: new Date(), last_notified_at: new Date(), upline: "Up" };
  for (const more of [known, {}, {}]) {
    const account = await makeMasterAccount(db, office.tenant, more);
    await makeWatcher(db, office.tenant, account, "balance" in more ? { last_checked_at: new Date(), last_notified_at: new Date() } : {});
  }
  const sorted = Object.entries(columns).filter(([, column]) => "sort" in column && column.sort === true);
  const lost: string[] = [];
  for (const [name] of sorted)
    for (const sort of [name, `-${name}`]) {
      const seen = new Set<string>();
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query = route.query.parse({ sort, limit: 1, ...(cursor !== undefined && { cursor }) });
        const asked = { query: query as never, params: undefined, body: undefined }; // the query is its own list's
        const { data, meta } = await list(office.call(), asked); // oxlint-disable-line no-await-in-loop -- one page after the other
        for (const { uuid } of data) seen.add(uuid);
        cursor = meta.next;
      }
      if (seen.size !== 3) lost.push(`${sort}: ${seen.size}`);
    }
  expect(lost).toEqual([]);
});
