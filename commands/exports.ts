import type { TakenRows } from "../src/console/kit/commands/grid-handle.ts";
import type { ScreenName } from "../src/contract/screens.ts";
import { amountDecimals } from "../src/console/kit/look/amounts.ts";
import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { Services, Workplace } from "../src/console/kit/commands/services.ts";
import { formatCount } from "../src/values/counts.ts";

/** Longest filter value, in characters, that the audit log accepts. */
const longestValue = 500;

const hasRows = (_: readonly [], context: Context): Reason | null => {
  const grid = context.pane?.grid ?? null;
  if (grid === null) return "refuse.no-grid";
  return grid.rowCount() === 0 ? "export.refuse.no-rows" : null;
};

/** Name of a search parameter: its column's title, if it has one. */
function filterName(name: string, { columns }: TakenRows, { text }: Services): string {
  if (name === "view" || name === "q" || name === "sort") return text(`export.about.${name}`);
  return columns.find(({ id }) => id === name)?.title ?? name;
}

function aboutLines(screen: ScreenName, taken: TakenRows, place: Workplace, services: Services): [string, string][] {
  const { text } = services;
  const filters = Object.entries(place.search).map(([name, value]): [string, string] => [
    `${text("export.about.filter")}: ${filterName(name, taken, services)}`,
    value,
  ]);
  const count = taken.rows.length;
  const what = taken.marked ? "export.about.marked" : "export.about.loaded";
  return [
    [text("export.about.screen"), text(`screen.${screen}`)],
    [text("export.about.tenant"), place.tenant],
    [text("export.about.currency"), place.currency],
    [text("export.about.user"), place.user],
    [text("export.about.time"), place.time],
    [text("export.about.zone"), place.zoneText],
    [text("export.about.rows"), text(what, { count, of: totalText(taken) })],
    ...(filters.length === 0 ? [[text("export.about.filter"), text("export.about.no-filter")] as [string, string]] : filters),
  ];
}

const totalText = ({ rows, more, total }: TakenRows): string =>
  more ? (total === null ? "…" : formatCount(total)) : formatCount(rows.length);

/** Reports the export to the server first, so that no file is made when the server refuses. */
async function exportRows(services: Services, context: Context): Promise<void> {
  const { pane, screen } = context;
  const route = pane?.list?.exports;
  if (pane?.grid == null || screen === null || route == null) return;
  const taken = pane.grid.taken();
  const place = services.workplace(pane.id);
  const filter = Object.fromEntries(Object.entries(place.search).map(([name, value]) => [name, value.slice(0, longestValue)]));
  await services.call(route, { body: { rows: taken.rows.length, filter } });
  const fileName = `${screen} ${place.stamp}.xlsx`;
  try {
    await services.saveSheet({
      title: services.text(`screen.${screen}`),
      fileName,
      columns: taken.columns.map(({ title, kind, width }) => ({
        title: kind === "time" ? `${title} (${place.zoneText})` : title,
        kind,
        width,
      })),
      rows: taken.rows,
      zone: place.zone,
      decimals: amountDecimals(),
      rightToLeft: context.rightToLeft === true,
      about: { title: services.text("export.about"), lines: aboutLines(screen, taken, place, services) },
    });
  } catch {
    return services.say("export.failed", {}, "fail");
  }
  const words = { count: taken.rows.length, file: fileName, of: totalText(taken) };
  if (taken.more) services.toast("export.part", "export.said.part", words, "warn");
  else services.say("export.said.done", words, "done");
}

/** Exports the rows on screen to a file; each screen has its own permission for it. */
export const exportCommands: readonly AnyCommand[] = [
  defineCommand({
    id: "list.export",
    formerly: ["withdrawal.export", "merchant.export", "payment-account.export"],
    scope: "screen",
    desk: "list",
    subject: null,
    takes: "none",
    permission: ({ list }) => list?.exports?.permission ?? null,
    keys: ["Shift+e"],
    refuse: hasRows,
    run: (_, services, context) => exportRows(services, context),
  }),
];
