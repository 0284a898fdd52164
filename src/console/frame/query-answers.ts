import type { Route, Sent } from "../../contract/route.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { places, screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { ListMeta } from "../../contract/wire.ts";
import { formatCount } from "../../values/counts.ts";
import type { Api } from "../api/api.ts";
import { createFormats, spanText } from "../api/formats.ts";
import { screenIcons } from "../kit/look/icon.tsx";
import type { FoundRecord } from "../kit/palette/palette-store.ts";
import { faultText } from "../kit/query/fault-text.ts";
import { readQuery } from "../kit/query/query-line.ts";
import type { QueryList } from "../kit/query/query-list.ts";
import { text } from "../kit/texts/texts.ts";
import { queryListOf } from "../screens/index.ts";
import { shownBy } from "./record-address.ts";

/** Rows shown beneath the figures. */
const most = 5;

/** The screen a line begins with the code of, and what it asks there: "wd pending >5000". */
export function asksList(typed: string, may: (screen: ScreenName) => boolean): { screen: ScreenName; line: string } | null {
  const [, code = "", line = ""] = /^\s*([a-z]{2,3})\s+(\S.*)$/is.exec(typed) ?? [];
  const screen = places.find((name) => (screens[name].codes as readonly string[]).includes(code.toLowerCase()));
  return screen !== undefined && screens[screen].subject !== null && may(screen) ? { screen, line } : null;
}

interface Answer {
  readonly data: readonly object[];
  readonly meta: ListMeta;
}

/**
 * What a query line finds on a screen: an entry with count, sum and age of the oldest, which opens the list, then the oldest rows. A line
 * that cannot be read answers why.
 */
export async function queryAnswers(
  api: Api,
  { screen, line }: { readonly screen: ScreenName; readonly line: string },
  signal: AbortSignal,
): Promise<FoundRecord[]> {
  const list = await queryListOf(screen);
  if (list === null) return [];
  const name = `${text(`screen.${screen}`)}: ${line}`;
  const entry = { id: `query ${screen} ${line}`, name, icon: screenIcons[screen], screen, list: true } as const;
  const read = readQuery(line, list.fields());
  if ("fault" in read) return [{ ...entry, note: faultText(read.fault), search: list.search({}) }];
  const at = api.session.store.getState().at;
  const zone = createFormats(at?.currency?.country.timezone.gmt).zone;
  const query = { ...list.query(read.meaning, api.time.now(), zone), limit: most, with: "count,sums" };
  const answer = (await api.call(list.route, { query } as unknown as Sent<Route>, { background: true, signal })) as unknown as Answer; // a list's answer
  const figures = figuresOf(api, list, answer);
  return [
    { ...entry, note: figures, search: list.search(read.meaning) },
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

function figuresOf(api: Api, list: QueryList, { data, meta }: Answer): string {
  const sum = list.sumOf(meta);
  const [oldest] = data;
  const since = oldest === undefined ? null : list.madeAt(oldest);
  const { amount } = createFormats(null);
  return [
    text("query.answer.count", { found: formatCount(meta.count ?? data.length) }),
    ...(sum === null ? [] : [text("query.answer.sum", { sum: amount(sum) })]),
    ...(since === null ? [] : [text("query.answer.oldest", { age: spanText(api.time.now() - Date.parse(since)) })]),
  ].join(" · ");
}

/** Whether a screen is there for the user. */
export const maySee =
  (api: Api, routed: ReadonlySet<ScreenName>) =>
  (screen: ScreenName): boolean =>
    routed.has(screen) && isAllowed(api.session.store.getState().at?.context.permissions ?? {}, screens[screen].permission);
