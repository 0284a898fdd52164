import type { Route, Sent } from "../../contract/route.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { ListMeta } from "../../contract/wire.ts";
import { formatCount } from "../../values/counts.ts";
import type { Api } from "../api/api.ts";
import { createFormats } from "../api/formats.ts";
import { screenIcons } from "../kit/look/icon.tsx";
import type { FoundRecord } from "../kit/palette/palette-store.ts";
import { completionsOf } from "../kit/query/complete.ts";
import { faultText } from "../kit/query/fault-text.ts";
import { readQuery } from "../kit/query/query-line.ts";
import type { Reading } from "../kit/query/query-line.ts";
import type { QueryList } from "../kit/query/query-list.ts";
import { text } from "../kit/texts/texts.ts";
import { queryListOf } from "../screens/index.ts";
import type { LineCompletions, ListLine } from "./list-line.ts";
import { figuresText } from "./pinned-figures.ts";
import { shownBy } from "./record-address.ts";

/** Rows shown beneath the figures. */
const most = 5;

type Asked = NonNullable<Awaited<ReturnType<typeof queryListOf>>>;

interface Answer {
  readonly data: readonly object[];
  readonly meta: ListMeta;
}

/**
 * What a query line finds on a screen: an entry with what it asks for, count, sum and age of the oldest, which opens the list, then the
 * oldest rows. A line that cannot be read answers where and why.
 */
export async function queryAnswers(api: Api, { screen, line }: ListLine, signal: AbortSignal): Promise<FoundRecord[]> {
  const list = await queryListOf(screen, api);
  if (list === null) return [];
  const title = text(`screen.${screen}`);
  const entry = { id: `query ${screen} ${line}`, name: title, icon: screenIcons[screen], screen, list: true, line: true } as const;
  const read = await readLine(list, line);
  if ("fault" in read) {
    const name = `${title}: ${line}`;
    const at = name.length - line.length;
    const { from, to } = read.fault;
    return [{ ...entry, name, note: faultText(read.fault), search: {}, refused: true, wrong: [at + from, at + to] }];
  }
  const at = api.session.store.getState().at;
  const zone = createFormats(at?.currency?.country.timezone.gmt).zone;
  const search = list.search(read.meaning);
  const query = { ...list.query(search, api.time.now(), zone), limit: most, with: "count,sums" };
  const answer = (await api.call(list.route, { query } as unknown as Sent<Route>, { background: true, signal })) as unknown as Answer; // a list's answer
  const figures = figuresOf(api, list, answer);
  return [
    { ...entry, note: figures, chips: list.chips(read.meaning), search },
    ...answer.data.map((row): FoundRecord => {
      const { id, name: called, note, end } = list.rowOf(row);
      return {
        id,
        name: called,
        note,
        ...(end !== undefined && { end }),
        icon: screenIcons[screen],
        screen,
        search: shownBy(screen, called, id),
      };
    }),
  ];
}

/** Whether a line has only words to search for, so that the whole text may as well be a name: "Ma Thida", "Al Amin". */
export async function isOfWords(api: Api, { screen, line }: ListLine): Promise<boolean> {
  const list = await queryListOf(screen, api);
  if (list === null) return true;
  const read = await readLine(list, line);
  return "fault" in read ? read.fault.why === "no-search" : Object.keys(read.meaning).every((field) => field === "q");
}

/** Reads a line once the records it may name are known. */
async function readLine(list: Asked, line: string): Promise<Reading> {
  if (list.records.mayBeIn(line)) await list.records.load();
  return readQuery(line, list.fields());
}

/** How lines of a screen's list are completed. */
export async function completesOf(api: Api, screen: ScreenName): Promise<LineCompletions> {
  const list = await queryListOf(screen, api);
  return (line, typed, caret) => {
    const before = typed.length - line.length;
    if (list === null || caret < before) return [];
    const complete = () =>
      completionsOf(line, caret - before, list.fields()).map((offer) => ({ ...offer, from: offer.from + before, to: offer.to + before }));
    return list.records.mayBeIn(line) && !list.records.areKnown() ? list.records.load().then(complete, complete) : complete();
  };
}

function figuresOf(api: Api, list: QueryList, { data, meta }: Answer): string {
  const [oldest] = data;
  const since = oldest === undefined ? null : list.madeAt(oldest);
  // left out where counting takes too long
  const count = meta.count ?? (meta.next === null ? data.length : null);
  const told = figuresText({ count, sum: list.sumOf(meta), oldestAt: since === null ? null : Date.parse(since) }, api.time.now());
  const more = count === null ? text("query.answer.more", { found: formatCount(data.length) }) : "";
  return [more, told].filter(Boolean).join(" · ");
}
