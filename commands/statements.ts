import { exportDays } from "../src/contract/exports.ts";
import type { ExportRequest } from "../src/contract/exports.ts";
import { isSole, readAsked } from "../src/values/asked.ts";
import { newUuid } from "../src/values/uuid.ts";
import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { StatementWindow } from "../src/console/kit/commands/statement-desk.ts";
import type { Services } from "../src/console/kit/commands/services.ts";
import { needExportTexts } from "../src/console/kit/texts/late-texts.ts";

const ofStatement = { scope: "screen", desk: "statement", subject: null, takes: "none" } as const;

/** The statement in view: that of the one code filtered by, else of the line under the cursor, within the dates asked for. */
function windowOf({ pane }: Context): StatementWindow | null {
  const [desk, query] = [pane?.statement, pane?.list?.exports?.asked().query];
  if (!desk || !query) return null;
  const under = (pane?.cursor as Readonly<Record<string, unknown>> | null)?.[desk.own]; // a line of the statement
  const asked = readAsked(query[`filter[${desk.own}]`] ?? "");
  const [code = ""] = asked !== null && isSole(asked) ? asked.of : typeof under === "string" ? [under] : [];
  return code === "" ? null : { code, from: query["filter[created_at_from]"], to: query["filter[created_at_to]"] };
}

/** A statement of nobody, or one from which movements are left out, is none. */
function refuse(_: readonly [], context: Context): Reason | null {
  const { pane } = context;
  const window = windowOf(context);
  if (window === null) return "statement.refuse.no-owner";
  const whole = ["created_at_from", "created_at_to", pane?.statement?.own].map((name) => `filter[${name}]`);
  const others = Object.keys(pane?.list?.exports?.asked().query ?? {}).filter(
    (name) => (name.startsWith("filter[") || name === "q") && !whole.includes(name),
  );
  return others.length > 0 ? "statement.refuse.more-filters" : null;
}

type Cell = ExportRequest["columns"][number]["cell"];

/** Columns of the file: all that a reader of a statement needs, whatever stands on screen. */
const columns: readonly { readonly field: Cell["field"]; readonly as: Cell["as"]; readonly width: number }[] = [
  { field: "created_at", as: "time", width: 150 },
  { field: "txn_no", as: "text", width: 150 },
  { field: "merchant_txn_no", as: "text", width: 150 },
  { field: "kind", as: "choice", width: 190 },
  { field: "reference_no", as: "text", width: 130 },
  { field: "customer_name", as: "text", width: 150 },
  { field: "amount_out", as: "amount", width: 110 },
  { field: "amount_in", as: "amount", width: 110 },
  { field: "fee", as: "amount", width: 90 },
  { field: "balance", as: "amount", width: 120 },
];

/** Has the server make the file, of whatever length the statement is. */
async function startFile(services: Services, context: Context): Promise<void> {
  const { pane, screen } = context;
  const [desk, list, window] = [pane?.statement, pane?.list?.exports, windowOf(context)];
  if (!pane || !desk || !list || !window || screen === null) return;
  await needExportTexts();
  const { zone, timeOf } = services.workplace(pane.id);
  const { code, from, to } = window;
  const title = (field: string) => services.text(`statement.field.${field}` as "statement.field.kind"); // one of the columns above
  const period = [from, to].map((at) => (at === undefined ? "" : timeOf(at))).join(" – ");
  const { data } = await services.call(
    list.routes.start,
    {
      body: {
        params: {},
        query: {
          sort: "created_at",
          [`filter[${desk.own}]`]: code,
          ...(from !== undefined && { "filter[created_at_from]": from }),
          ...(to !== undefined && { "filter[created_at_to]": to }),
        },
        columns: columns.map(({ field, as, width }) => ({
          title: title(field),
          width,
          cell: { field, as, ...(as === "choice" && { words: [`statement.${field}.`] }) },
        })),
        filters: [
          [title(desk.own), code],
          [services.text("statement.whole.period"), period],
        ],
        zone,
        statement: true,
      },
    },
    { idempotencyKey: newUuid() },
  );
  services.changed("export", [data]);
  services.say("export.said.started", { screen: services.text(`screen.${screen}`), days: exportDays }, "done");
}

/** Commands that only the statements of wallets and payment accounts have. */
export const statementCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofStatement,
    id: "statement.balances",
    permission: ({ statement }) => statement?.view ?? null,
    keys: ["Shift+x"],
    run: (_, __, { pane }) => pane?.statement?.showBalances(),
  }),
  defineCommand({
    ...ofStatement,
    id: "statement.file",
    permission: ({ list }) => list?.exports?.routes.start.permission ?? null,
    keys: ["Shift+o"],
    refuse,
    run: (_, services, context) => startFile(services, context),
  }),
  defineCommand({
    ...ofStatement,
    id: "statement.print",
    permission: ({ statement }) => statement?.view ?? null,
    keys: ["p"],
    refuse,
    run(_, __, context) {
      const window = windowOf(context);
      if (window !== null) context.pane?.statement?.showWhole(window);
    },
  }),
];
