import { isAllowed } from "../../src/contract/permissions.ts";
import type { Transfer } from "../../src/contract/transfers.ts";
import { transferRoutes as routes } from "../../src/contract/transfers.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { moneyOf, shortId } from "../transactions/rows.ts";
import { intend, keyed, ref, sayDone, spread } from "../transactions/sending.ts";

/** How long `z` takes back what is only pending, in ms. */
const undoFor = 8_000;

/** Undoes the last step of a transfer: what is pending is taken back, what is posted reversed. */
export async function recall(row: Transfer, services: Services): Promise<void> {
  const body = { rows: [ref(row)] };
  const { data } = await keyed(intend("recall", [row]), (options) => services.call(routes.recallTransfers, { body }, options));
  sayDone(services, [row], data.outcomes, row.status === "pending" ? "transfer.said.taken-back" : "transfer.said.recalled");
  spread(services, "transfer", data.outcomes);
  tellAccounts(row, services);
}

/** What a transfer changed of its accounts and its merchant is looked at again. */
export function tellAccounts({ source, target, merchant }: Transfer, services: Services): void {
  const accounts = [source, target].flatMap((account) => (account === null ? [] : [{ uuid: account.uuid }]));
  if (accounts.length > 0) services.changed("payment-account", accounts);
  if (merchant !== null) services.changed("merchant", [{ uuid: merchant.uuid }]);
}

/** What was just made or approved counts down in the status bar, with the key that takes it back. */
export function offerRecall(row: Transfer, services: Services, { pane, permissions }: Context): void {
  if (!isAllowed(permissions, routes.recallTransfers.permission)) return;
  const until = row.status === "pending" ? undoFor : (pane?.moving?.recallable(row) ?? 0);
  if (until <= 0 || row.status === "completed") return;
  services.pushUndo({
    id: `recall ${row.uuid}`,
    text: row.status === "pending" ? "transfer.undo.made" : "transaction.undo.approved",
    words: { id: shortId(row), amount: moneyOf(row) },
    until: performance.now() + until,
    back: () => recall(row, services),
  });
}
