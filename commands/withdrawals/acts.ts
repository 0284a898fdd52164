import type { Route } from "../../src/contract/route.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { actOnMany } from "../transactions/bulk.ts";
import { reject as rejectTransactions } from "../transactions/reasons.ts";
import { remark as remarkTransaction } from "../transactions/remark.ts";
import { shortId } from "../transactions/rows.ts";
import type { Against, Rows } from "../transactions/rows.ts";
import { intend, keyed, ref, sayDone, spread } from "../transactions/sending.ts";

export const subject = "withdrawal";

export function reject(rows: Rows<Withdrawal>, against: Against<Withdrawal>, services: Services, context: Context): Promise<void> {
  return rejectTransactions(
    rows,
    {
      subject,
      against,
      presets: context.pane?.decision?.settings.reject_reasons ?? [],
      payeeOf: (row) => row.holder,
      titles: { one: "withdrawal.ask.reject", many: "withdrawal.ask.reject-many", run: "withdrawal.ask.reject-run" },
      said: { one: "transaction.said.rejected", many: "transaction.said.rejected-many" },
      send: async (some, reason, options) =>
        (await services.call(withdrawalRoutes.rejectWithdrawals, { body: { rows: some.map(ref), reason } }, options)).data.outcomes,
    },
    services,
    context,
  );
}

// ── the rest: no money moves ──

type PlainRoute = (typeof withdrawalRoutes)["claimWithdrawals" | "releaseWithdrawals" | "deferWithdrawals" | "sendWithdrawalCallbacks"];

/** An act that takes nothing but rows. */
export function plain(
  route: PlainRoute & Route,
  rows: Rows<Withdrawal>,
  against: Against<Withdrawal>,
  texts: { title: MessageKey; done: MessageKey },
  services: Services,
  context: Context,
): Promise<void> {
  const send = async (some: readonly Withdrawal[], options: Parameters<Services["call"]>[2]) =>
    (await services.call(route, { body: { rows: some.map(ref) } }, options)).data.outcomes;
  return actOnMany(rows, { subject, against, ...texts, way: () => route.path, send }, services, context);
}

export async function takeOver(row: Withdrawal, services: Services): Promise<void> {
  const reason = await services.ask("text", {
    title: "transaction.ask.take-over",
    label: "sheet.text.reason-optional",
    words: { id: shortId(row), name: row.claim?.name ?? "" },
    initial: "",
    maximum: 500,
  });
  if (reason === null) return;
  const text = reason.trim();
  const { data } = await services.call(withdrawalRoutes.takeOverWithdrawals, {
    body: { rows: [ref(row)], ...(text !== "" && { reason: text }) },
  });
  sayDone(services, [row], data.outcomes, "transaction.said.taken-over");
  spread(services, subject, data.outcomes);
}

/** By the second person, who must say why. */
export async function handBack(row: Withdrawal, services: Services): Promise<void> {
  const intent = intend("hand-back", [row]);
  const reason = await services.ask("text", {
    title: "transaction.ask.hand-back",
    label: "sheet.text.reason",
    words: { id: shortId(row), name: row.first_approved_by?.name ?? "" },
    initial: "",
    maximum: 500,
    refuse: (typed) => (typed === "" ? "problem.reason.missing" : null),
  });
  if (reason === null) return;
  const body = { rows: [ref(row)], reason };
  const { data } = await keyed(intent, (all) => services.call(withdrawalRoutes.handBackWithdrawals, { body }, all));
  sayDone(services, [row], data.outcomes, "transaction.said.handed-back");
  spread(services, subject, data.outcomes);
}

export function remark(row: Withdrawal, services: Services): Promise<void> {
  const { uuid, version } = row;
  const send = async (text: string): Promise<Withdrawal> =>
    (await services.call(withdrawalRoutes.remarkWithdrawal, { params: { uuid }, body: { version, remark: text } })).data;
  return remarkTransaction(row, subject, send, services);
}
