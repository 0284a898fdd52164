import { exportDays, ownExportRoutes } from "../src/contract/exports.ts";
import type { Export } from "../src/contract/exports.ts";
import { aboutLines } from "../src/contract/export-about.ts";
import { cellReader, fileTitle, kindOf } from "../src/contract/list-cells.ts";
import type { ScreenName } from "../src/contract/screens.ts";
import { mostInSheet, sheetsFor } from "../src/values/workbook/workbook.ts";
import { formatCount } from "../src/values/counts.ts";
import { newUuid } from "../src/values/uuid.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { ListExport } from "../src/console/kit/commands/desks.ts";
import type { TakenRows } from "../src/console/kit/commands/grid-handle.ts";
import type { Services, Workplace } from "../src/console/kit/commands/services.ts";
import { amountDecimals } from "../src/console/kit/look/amounts.ts";
import { saveExport } from "../src/console/kit/export/save-export.ts";
import { wordOf } from "../src/console/kit/texts/texts.ts";

/** Longest filter value, in characters, that the audit log accepts. */
const longestValue = 500;
/** Loaded rows that the browser writes itself, at most; of more the server makes the file. */
const mostInBrowser = 5_000;
/** Characters of a title, or of a line about the rows, that the server takes. */
const longestTitle = 200;

type Filters = ReturnType<ListExport["filters"]>;

/** View, filters and order in words; the order by the titles of its columns. */
function told({ columns }: TakenRows, list: ListExport, { text }: Services): Filters {
  const view = list.viewName();
  const words = (list.asked().query["sort"] ?? "").split(",").flatMap((part) => {
    const field = part.replace(/^-/, "");
    const title = columns.find(({ id, cell }) => id === field || cell.field === field)?.title ?? field;
    return field === "" ? [] : [`${title} ${part === field ? "↑" : "↓"}`];
  });
  return [
    ...(view === null ? [] : [[text("export.about.view"), view] as const]),
    ...list.filters(),
    ...(words.length === 0 ? [] : [[text("export.about.sort"), words.join(", ")] as const]),
  ];
}

/** Takes rows out as a file: the browser writes the marked ones, and all where they are loaded and few; of more the server makes it. */
export async function exportList(services: Services, context: Context): Promise<void> {
  const { pane, screen } = context;
  const list = pane?.list?.exports;
  if (pane?.grid == null || screen === null || list == null) return;
  const whole = pane.grid.taken();
  const taken = { ...whole, rows: whole.rows.filter(list.isRow) };
  const asked = { screen, subject: pane.subject ?? "", list, taken, place: services.workplace(pane.id) };
  if (!list.isHere && (taken.more || (!taken.marked && taken.rows.length > mostInBrowser))) return exportAll(services, asked);
  return exportRows(services, asked, context.rightToLeft === true);
}

interface AskedExport {
  readonly screen: ScreenName;
  readonly subject: string;
  readonly list: ListExport;
  readonly taken: TakenRows;
  readonly place: Workplace;
}

/** Reports the export to the server first, so that no file is made when the server refuses. */
async function exportRows(services: Services, { screen, subject, list, taken, place }: AskedExport, rightToLeft: boolean): Promise<void> {
  const { text } = services;
  const filter = Object.fromEntries(Object.entries(place.search).map(([name, value]) => [name, value.slice(0, longestValue)]));
  await services.call(list.routes.note, { body: { rows: taken.rows.length, filter } });
  const fileName = `${screen} ${place.stamp}.xlsx`;
  const count = taken.rows.length;
  const decimals = amountDecimals();
  const readers = taken.columns.map(({ cell }) => cellReader(subject, cell));
  const reading = { word: wordOf, now: Date.now(), decimals };
  const about = {
    screen,
    tenant: place.tenant,
    currency: "currency" in list.routes.note ? place.currency : null,
    user: place.user,
    time: place.time,
    zone: place.zoneText,
    rows: taken.marked ? text("export.about.marked", { count }) : formatCount(count),
    filters: told(taken, list, services),
  };
  try {
    await services.saveSheet({
      title: text(`screen.${screen}`),
      fileName,
      columns: taken.columns.map(({ title, width, cell }) => ({ title: fileTitle(title, cell, place.zone), width, kind: kindOf(cell) })),
      rows: taken.rows.map((row) => readers.map((read) => read(row as object, reading))), // rows are objects
      zone: place.zone,
      decimals,
      rightToLeft,
      about: { title: text("export.about"), lines: aboutLines(about, wordOf) },
    });
  } catch {
    return services.say("export.failed", {}, "fail");
  }
  services.say("export.said.done", { count, file: fileName }, "done");
}

/** Starts a file of all that match, after saying what no single sheet can hold. */
async function exportAll(services: Services, { screen, list, taken, place }: AskedExport): Promise<void> {
  const { total } = taken;
  if (total !== null && total > mostInSheet) {
    const words = { count: sheetsFor(total), rows: formatCount(total), most: formatCount(mostInSheet) };
    const sure = await services.ask("confirm", {
      title: "export.ask.sheets",
      text: "export.ask.sheets-text",
      words,
      buttons: { yes: "export.ask.sheets-yes", no: "sheet.cancel" },
    });
    if (sure !== true) return;
  }
  const { data } = await services.call(
    list.routes.start,
    {
      body: {
        ...list.asked(),
        columns: taken.columns.map(({ title, width, cell }) => ({
          title: title.slice(0, longestTitle),
          width: Math.min(2_000, Math.max(10, Math.round(width))),
          cell,
        })),
        filters: told(taken, list, services).map(([label, value]): [string, string] => [label.slice(0, longestTitle), value]),
        zone: place.zone,
      },
    },
    { idempotencyKey: newUuid() },
  );
  services.changed("export", [data]);
  const words = { screen: services.text(`screen.${screen}`), days: exportDays };
  // where counting takes too long nobody knows yet how many there are
  if (total === null) services.say("export.said.started-uncounted", { ...words, most: formatCount(mostInSheet) }, "done");
  else services.say("export.said.started", words, "done");
}

const newest = async (services: Services, is: (one: Export) => boolean): Promise<Export | undefined> =>
  (await services.call(ownExportRoutes.listExports, {})).data.find(is);

export async function downloadNewest(services: Services): Promise<void> {
  const found = await newest(services, ({ state }) => state === "done");
  if (found === undefined) return services.say("export.refuse.none-done", {}, "warn");
  await saveExport(services, found);
}

export async function cancelNewest(services: Services): Promise<void> {
  const found = await newest(services, ({ state }) => state === "waiting" || state === "running");
  if (found === undefined) return services.say("export.refuse.none-open", {}, "warn");
  await services.call(ownExportRoutes.cancelExport, { params: { uuid: found.uuid }, body: {} });
  services.changed("export", [found]);
  services.say("export.said.cancelled", { screen: services.text(`screen.${found.screen as ScreenName}`) }, "done"); // one that is exported
}
