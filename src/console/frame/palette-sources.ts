import type { Linked } from "../../contract/controls.ts";
import { listOfScreen, routes } from "../../contract/index.ts";
import { isAllowed } from "../../contract/permissions.ts";
import type { Route, Sent } from "../../contract/route.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { alwaysOffered } from "../../contract/settings.ts";
import { searchScreens } from "../../contract/search.ts";
import type { Found } from "../../contract/search.ts";
import { searchKinds, searchPermissions } from "../../contract/search.ts";
import type { Withdrawal } from "../../contract/withdrawals.ts";
import type { Deposit } from "../../contract/deposits.ts";
import type { Api } from "../api/api.ts";
import { createFormats } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import { amountDecimals } from "../kit/look/amounts.ts";
import { screenIcons } from "../kit/look/icon.tsx";
import type { MessageKey } from "../kit/texts/messages.ts";
import type { FoundRecord, PaletteSources } from "../kit/palette/palette-store.ts";
import { text } from "../kit/texts/texts.ts";
import { besideParam, readBeside } from "./beside.ts";
import { longestSearch } from "../../contract/wire.ts";
import { readAmounts } from "../../values/amount-ranges.ts";
import { plainMoment, readMoment } from "../../values/moments.ts";

/** Most records listed per kind, where they have an amount. */
const most = 6;

/** Most records that a reference field offers. */
const mostListed = 12;

/** A range with two different amounts; digits with a hyphen may be an account number, and are searched as both. */
function isRange(typed: string): boolean {
  const range = readAmounts(typed, amountDecimals());
  return range?.from !== undefined && range.to !== undefined && range.from !== range.to;
}

/** Screens whose first view leaves out what is decided. */
const worked: readonly ScreenName[] = ["deposits", "withdrawals"];

/** Search parameters that show a record on its screen. */
const searchOf = (screen: ScreenName, name: string, uuid: string): FoundRecord["search"] => ({
  ...(worked.includes(screen) && { view: "all" }),
  q: name,
  record: uuid,
});

/** The palette's tenants, currencies, languages and records. */
export function paletteSources(api: Api, routed: ReadonlySet<ScreenName>, languageNow: () => string): PaletteSources {
  const at = () => api.session.store.getState().at;
  const formats = createFormats(null);
  const open = (screen: "withdrawals" | "deposits") => {
    const permissions = at()?.context.permissions ?? {};
    return (
      routed.has(screen) &&
      isAllowed(permissions, screen === "withdrawals" ? routes.listWithdrawals.permission : routes.listDeposits.permission)
    );
  };
  const time = (instant: string) => createFormats(at()?.currency?.country.timezone.gmt).time(instant);
  /** Isolates each part, because they may run in different directions. */
  const noteOf = (...parts: readonly (string | null)[]) =>
    parts
      .filter((part) => part !== null)
      .map((part) => `\u2068${part}\u2069`)
      .join(" · ");
  const shown = ({ kind, uuid, name, note, merchant, created_at, amount, currency, status }: Found): FoundRecord => {
    const screen = searchScreens[kind];
    return {
      id: uuid,
      name,
      note: noteOf(note === "" ? null : note, merchant, created_at === null ? null : time(created_at)),
      end: [status === null ? "" : text(`status.${status}`), amount === null ? "" : `${formats.amount(amount)} ${currency}`]
        .filter(Boolean)
        .join(" · "),
      icon: screenIcons[screen],
      screen,
      search: searchOf(screen, name, uuid),
    };
  };
  const found = (screen: "withdrawals" | "deposits", row: Withdrawal | Deposit): FoundRecord => ({
    id: row.uuid,
    name: row.txn_no,
    note: noteOf(row.customer_name, row.merchant.code, time(row.created_at)),
    end: `${formats.amount(row.amount)} ${row.currency}`,
    icon: screenIcons[screen],
    screen,
    search: searchOf(screen, row.txn_no, row.uuid),
  });

  const isScreen = (name: string): name is ScreenName => name in screens;

  /** An entry that opens the list of all matches, where there are several. */
  const listOf = (screen: "withdrawals" | "deposits", count: number, asked: string, search: FoundRecord["search"]): FoundRecord[] =>
    count < 2
      ? []
      : [
          {
            id: `all ${screen}`,
            name: text("palette.all-of", { screen: text(`screen.${screen}`), text: asked }),
            icon: screenIcons[screen],
            screen,
            search: { view: "all", ...search },
            list: true,
          },
        ];

  /** Transactions of an amount or a range of amounts. */
  async function findAmount(asked: string, signal: AbortSignal): Promise<FoundRecord[]> {
    const range = readAmounts(asked, amountDecimals());
    if (range === null) return [];
    const ofAll = { "filter[amount_from]": range.from, "filter[amount_to]": range.to, view: "all", limit: most } as const;
    const all = (screen: "withdrawals" | "deposits", rows: readonly (Withdrawal | Deposit)[]) => [
      ...rows.map((row) => found(screen, row)),
      ...listOf(screen, rows.length, asked, { amount: asked }),
    ];
    const options = { background: true, signal } as const;
    const lists = await Promise.all([
      open("withdrawals") ? api.call(routes.listWithdrawals, { query: ofAll }, options).then(({ data }) => all("withdrawals", data)) : [],
      open("deposits") ? api.call(routes.listDeposits, { query: ofAll }, options).then(({ data }) => all("deposits", data)) : [],
    ]);
    return lists.flat();
  }

  /** Records without full search, found by their own list. */
  async function findListed(screen: ScreenName, q: string, signal: AbortSignal): Promise<Linked[]> {
    const list = listOfScreen(screen);
    if (list === null || !isAllowed(at()?.context.permissions ?? {}, screens[screen].permission)) return [];
    const sent: object = { query: { q, limit: mostListed } };
    const { data } = await api.call(list, sent as Sent<Route>, { background: true, signal }); // every list takes these parameters
    return (data as { uuid: string; name: string; code?: string }[]).map(({ uuid, name, code = null }) => ({ uuid, name, code })); // every linked record has a name
  }

  return {
    tenants: () =>
      (at()?.context.available_tenants ?? []).map(({ id, code, name }) => ({
        id,
        name,
        note: code,
        current: id === at()?.tenant.id,
        words: code,
      })),
    currencies: () =>
      (at()?.config.currencies ?? []).map(({ code, name, country }) => ({
        id: code,
        name: code,
        note: name,
        end: country.timezone.gmt,
        current: code === at()?.currency?.code,
        words: country.name,
      })),
    languages: () =>
      (at()?.config.languages ?? alwaysOffered).map((id) => ({
        id,
        name: text(`language.${id}` as MessageKey),
        current: id === languageNow(),
      })),
    async findRecords(typed, signal) {
      if (!isAllowed(at()?.context.permissions ?? {}, routes.search.permission)) return [];
      const q = typed.slice(0, longestSearch);
      const [{ data }, ofAmount] = await Promise.all([
        api.call(routes.search, { query: { q } }, { background: true, signal }),
        isRange(q) ? findAmount(q, signal) : [],
      ]);
      const there = data.filter(({ kind }) => routed.has(searchScreens[kind]));
      const lists = (["withdrawals", "deposits"] as const).flatMap((screen) =>
        listOf(screen, there.filter(({ kind }) => searchScreens[kind] === screen).length, q, { q }),
      );
      return [...there.map(shown), ...lists, ...ofAmount];
    },
    async findLinked(screen, typed, signal) {
      const kind = searchKinds.find((one) => searchScreens[one] === screen);
      const q = typed.slice(0, longestSearch);
      if (kind === undefined) return findListed(screen, q, signal);
      if (!isAllowed(at()?.context.permissions ?? {}, searchPermissions[kind])) return [];
      const { data } = await api.call(routes.search, { query: { q, kinds: kind } }, { background: true, signal });
      // without a code the name comes first
      return data.map(({ uuid, name, note, currency }) =>
        currency === "" ? { uuid, code: null, name } : { uuid, code: name, name: note },
      );
    },
    writeMoment: (instant) => (instant === "" ? "" : time(instant)),
    readMoment(typed) {
      const now = api.time.now();
      const found = readMoment(
        plainMoment(typed, (word) => text(`moment.${word}`)),
        now,
        createFormats(at()?.currency?.country.timezone.gmt).zone,
      );
      return found === null ? null : new Date(found.from).toISOString();
    },
    workplace(pane) {
      const now = at();
      const here = createFormats(now?.currency?.country.timezone.gmt);
      const { [besideParam]: other, record: _, ...main } = Object.fromEntries(new URLSearchParams(window.location.search));
      const { record: __, ...second } = readBeside(other ?? null)?.search ?? {};
      return {
        tenant: now?.tenant.name ?? "",
        currency: now?.currency?.code ?? "",
        user: now?.user.name ?? "",
        zone: here.zone,
        zoneText: here.zoneText,
        time: here.time(api.time.now()),
        stamp: here.stamp(api.time.now()),
        timeOf: here.time,
        search: pane.startsWith("beside.") ? second : main,
      };
    },
    stampOf(machine) {
      const instant = new Date(machine + api.time.now() - Date.now()).toISOString();
      const here = createFormats(at()?.currency?.country.timezone.gmt);
      return { instant, clock: here.seconds(instant), title: instantTitle(here, instant, "part") };
    },
    recall({ id, screen, name }) {
      const permissions = at()?.context.permissions ?? {};
      if (!isScreen(screen) || !routed.has(screen) || !isAllowed(permissions, screens[screen].permission)) return null;
      return { id, name, icon: screenIcons[screen], note: text(`screen.${screen}`), screen, search: searchOf(screen, name, id) };
    },
    findAmount,
  };
}
