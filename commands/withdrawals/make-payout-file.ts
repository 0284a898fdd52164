import { payoutFileRoutes } from "../../src/contract/payout-files.ts";
import type { RefusedPayout } from "../../src/contract/payout-files.ts";
import { payoutTemplateRoutes } from "../../src/contract/payout-templates.ts";
import type { PayoutTemplate } from "../../src/contract/payout-templates.ts";
import { isAllowed } from "../../src/contract/permissions.ts";
import type { Answer } from "../../src/contract/route.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import { formatCount } from "../../src/values/counts.ts";
import type { Rows } from "../transactions/rows.ts";
import { problemText } from "../transactions/rows.ts";
import { intend, keyed, ref } from "../transactions/sending.ts";
import { withdrawalActs } from "./decision.ts";

const { listPayoutTemplates } = payoutTemplateRoutes;
const { previewPayoutFile, exportPayoutFile, readPayoutFile } = payoutFileRoutes;

type Preview = Answer<typeof previewPayoutFile>["data"];

/** Most of the rows exported before that are named one by one. */
const named = 5;

/** The account that will pay goes with a row nobody has approved. */
const refOf = (row: Withdrawal) => ({
  ...ref(row),
  ...(row.payment_account === null && row.paying_account !== null && { payment_account: row.paying_account.uuid }),
});

async function chooseTemplate(services: Services): Promise<PayoutTemplate | null> {
  const { data: templates } = await services.call(listPayoutTemplates, { query: { limit: "100", sort: "name" } });
  if (templates.length === 0) {
    services.say("withdrawal.payout-file.no-template", {}, "warn");
    return null;
  }
  const chosen = await services.ask("choice", {
    title: "withdrawal.payout-file.template",
    words: {},
    options: templates.map(({ uuid, name, bank }) => ({ id: uuid, label: name, note: bank, refused: null })),
  });
  return templates.find(({ uuid }) => uuid === chosen) ?? null;
}

function whyNot(services: Services, { problem }: RefusedPayout): string {
  return problem.code === "payout-file.unwritable"
    ? services.text("withdrawal.payout-file.unwritable", { column: problem.values["column"] ?? "", sign: problem.values["sign"] ?? "" })
    : problemText(services, problem);
}

const idOf = (txn_no: string): string => `…${txn_no.slice(-6)}`;

/** What speaks against making the file: rows that stand in one already, and more than one account that pays. */
function notesOf(services: Services, { exported, accounts }: Preview, timeOf: (instant: string) => string): string[] {
  const before = exported
    .slice(0, named)
    .map(({ txn_no, at, by, file }) =>
      services.text("withdrawal.payout-file.before", { id: idOf(txn_no), time: timeOf(at), name: by, file }),
    );
  const rest = exported.length - before.length;
  return [
    ...before,
    ...(rest > 0 ? [services.text("withdrawal.payout-file.before-more", { n: rest })] : []),
    ...(accounts.length > 1 ? [services.text("withdrawal.payout-file.accounts", { n: accounts.length })] : []),
  ];
}

async function confirmed(template: PayoutTemplate, preview: Preview, services: Services, context: Context): Promise<boolean> {
  const { count, amount, accounts, lines, refused } = preview;
  const { timeOf } = services.workplace(context.pane?.id ?? "");
  const paid = accounts.map(({ code, amount: sum }) => `${code === "" ? "–" : code} ${shownAmount(sum)}`).join(" · ");
  const answer = await services.ask("preview", {
    title: "withdrawal.payout-file.title",
    words: { template: template.name, bank: template.bank },
    facts: [
      { label: "transaction.fact.count", value: formatCount(count) },
      { label: "transaction.fact.sum", value: `${shownAmount(amount)} ${context.currency ?? ""}` },
      { label: "withdrawal.payout-file.paid-from", value: paid },
    ],
    lines,
    notes: notesOf(services, preview, timeOf),
    skipped: refused.map((one) => ({ id: one.uuid, label: idOf(one.txn_no), why: whyNot(services, one) })),
    yes: preview.exported.length > 0 ? "withdrawal.payout-file.make-again" : "withdrawal.payout-file.make",
  });
  return answer === true;
}

/** Template, preview, file: its rows are marked with the file they stand in before it is saved. */
export async function makeFile(rows: Rows<Withdrawal>, services: Services, context: Context): Promise<void> {
  const { permission } = listPayoutTemplates;
  if (!isAllowed(context.permissions, permission)) return services.say("refuse.no-right", { permission }, "warn");
  const template = await chooseTemplate(services);
  if (template === null) return;
  const asked = { template: template.uuid, rows: rows.map(refOf) };
  const { data: preview } = await services.call(previewPayoutFile, { body: asked });
  const [first] = preview.refused;
  if (preview.count === 0 && first !== undefined)
    return services.say("withdrawal.payout-file.none-fit", { id: idOf(first.txn_no), why: whyNot(services, first) }, "warn");
  if (!(await confirmed(template, preview, services, context))) return;
  const left = new Set(preview.refused.map(({ uuid }) => uuid));
  const fit = rows.filter(({ uuid }) => !left.has(uuid));
  const intent = intend(`payout-file ${template.uuid}@${template.version}`, fit);
  const body = { template: template.uuid, rows: fit.map(refOf), ...(preview.exported.length > 0 && { again: true as const }) };
  try {
    const { data: made } = await keyed(intent, (options) => services.call(exportPayoutFile, { body }, options));
    const { data: file } = await services.call(readPayoutFile, { params: { uuid: made.uuid } });
    await services.saveFile({ ...file, name: made.name });
    services.say("withdrawal.said.payout-file", { n: made.count, file: made.name }, "done");
  } finally {
    services.changed(
      withdrawalActs.subject,
      rows.map(({ uuid }) => ({ uuid })),
    );
  }
}
