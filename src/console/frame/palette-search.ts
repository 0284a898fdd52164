import type { Linked } from "../../contract/controls.ts";
import { depositRoutes } from "../../contract/deposit-routes.ts";
import type { Deposit } from "../../contract/deposits.ts";
import { linkedOf, listRouteOf } from "../../contract/list-route.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { searchKinds, searchPermissions, searchRoutes, searchScreens } from "../../contract/search.ts";
import type { Found } from "../../contract/search.ts";
import { longestSearch } from "../../contract/wire.ts";
import { withdrawalRoutes } from "../../contract/withdrawals.ts";
import { userRoutes } from "../../contract/users.ts";
import type { Withdrawal } from "../../contract/withdrawals.ts";
import { readAmounts } from "../../values/amount-ranges.ts";
import { folded } from "../../values/folded.ts";
import type { Api } from "../api/api.ts";
import { createFormats } from "../api/formats.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import { screenIcons } from "../kit/look/icon.tsx";
import type { FoundRecord, PaletteSources } from "../kit/palette/palette-store.ts";
import { text } from "../kit/texts/texts.ts";
import { findSettings } from "./found-settings.ts";
import { asksList, maySee } from "./list-line.ts";
import type { LineCompletions } from "./list-line.ts";
import { completesOf, isOfWords, queryAnswers } from "./query-answers.ts";
import { shownBy } from "./record-address.ts";

/** What finds records, and what may follow in a line that asks a list. */
export type Search = Required<Pick<PaletteSources, "findRecords" | "findLinked" | "findAmount" | "completions">>;

/** Most records listed per kind, where they have an amount. */
const most = 6;

/** Most records that a reference field offers. */
const mostListed = 12;

/**
 * A range with two different amounts, or one written as amounts are: "1,250.00". Digits alone, or with a hyphen, may be an account number;
 * what is both is searched as both.
 */
function isAmounts(typed: string): boolean {
  const range = readAmounts(typed, amountDecimals());
  if (range?.from === undefined || range.to === undefined) return false;
  return range.from !== range.to || /[.,]/.test(typed);
}

/** Finds records for the palette and for reference fields. */
export function paletteSearch(api: Api, routed: ReadonlySet<ScreenName>): Search {
  const at = () => api.session.store.getState().at;
  const may = (permission: Parameters<typeof isAllowed>[1]) => isAllowed(at()?.context.permissions ?? {}, permission);
  const formats = createFormats(null);
  const open = (screen: "withdrawals" | "deposits") => routed.has(screen) && may(screens[screen].permission);
  const time = (instant: string) => createFormats(at()?.currency?.country.timezone.gmt).time(instant);
  /** Isolates each part, because they may run in different directions. */
  const noteOf = (...parts: readonly (string | null)[]) =>
    parts
      .filter((part) => part !== null)
      .map((part) => `\u2068${part}\u2069`)
      .join(" · ");
  const shown = ({ kind, uuid, params, name, note, merchant, created_at, amount, currency, status }: Found): FoundRecord => {
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
      params,
      search: shownBy(screen, name, uuid),
    };
  };
  const found = (screen: "withdrawals" | "deposits", row: Withdrawal | Deposit): FoundRecord => ({
    id: row.uuid,
    name: row.txn_no,
    note: noteOf(row.customer_name, row.merchant.code, time(row.created_at)),
    end: `${formats.amount(row.amount)} ${row.currency}`,
    icon: screenIcons[screen],
    screen,
    search: shownBy(screen, row.txn_no, row.uuid),
  });

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

  /** An amount without the currency's code before or after it; another currency's stays, because its amounts are not found here. */
  function withoutCode(typed: string): string {
    const code = at()?.currency?.code;
    return code === undefined ? typed : typed.replace(new RegExp(`^\\s*${code}(?![a-z])|(?<![a-z])${code}\\s*$`, "i"), "").trim();
  }

  /** Transactions of an amount or a range of amounts. */
  async function findAmount(typed: string, signal: AbortSignal): Promise<FoundRecord[]> {
    const asked = withoutCode(typed);
    const range = readAmounts(asked, amountDecimals());
    if (range === null) return [];
    const ofAll = { "filter[amount_from]": range.from, "filter[amount_to]": range.to, view: "all", limit: most } as const;
    const all = (screen: "withdrawals" | "deposits", rows: readonly (Withdrawal | Deposit)[]) => [
      ...rows.map((row) => found(screen, row)),
      ...listOf(screen, rows.length, asked, { amount: asked }),
    ];
    const options = { background: true, signal } as const;
    const { listWithdrawals } = withdrawalRoutes;
    const { listDeposits } = depositRoutes;
    const lists = await Promise.all([
      open("withdrawals") ? api.call(listWithdrawals, { query: ofAll }, options).then(({ data }) => all("withdrawals", data)) : [],
      open("deposits") ? api.call(listDeposits, { query: ofAll }, options).then(({ data }) => all("deposits", data)) : [],
    ]);
    return lists.flat();
  }

  /** What a whole text finds: records, transactions of an amount, settings. */
  async function findText(typed: string, signal: AbortSignal): Promise<FoundRecord[]> {
    const q = typed.slice(0, longestSearch);
    const [{ data }, ofAmount, settings] = await Promise.all([
      may(searchRoutes.search.permission) ? api.call(searchRoutes.search, { query: { q } }, { background: true, signal }) : { data: [] },
      isAmounts(withoutCode(q)) ? findAmount(q, signal) : [],
      routed.has("setting") && may(screens.setting.permission) ? findSettings(q) : [],
    ]);
    const there = data.filter(({ kind }) => routed.has(searchScreens[kind]));
    const lists = (["withdrawals", "deposits"] as const).flatMap((screen) =>
      listOf(screen, there.filter(({ kind }) => searchScreens[kind] === screen).length, q, { q }),
    );
    return [...there.map(shown), ...lists, ...ofAmount, ...settings];
  }

  /** Records without full search, found by their own list. */
  async function findListed(screen: ScreenName, q: string, signal: AbortSignal): Promise<Linked[]> {
    const list = listRouteOf(screen);
    if (!may(list.permission)) return [];
    const { data } = await api.call(list, { query: { q, limit: mostListed } }, { background: true, signal });
    return data.map(linkedOf);
  }

  /** Groups for whoever puts users into them without the right to the groups' own list. */
  async function findGiven(q: string, signal: AbortSignal): Promise<Linked[]> {
    const { listGroupRights } = userRoutes;
    if (!may(listGroupRights.permission)) return [];
    const { data } = await api.call(listGroupRights, {}, { background: true, signal });
    const sought = folded(q);
    return data.filter(({ name }) => folded(name).includes(sought)).slice(0, mostListed);
  }

  const completing = new Map<ScreenName, LineCompletions>();

  return {
    findAmount,
    completions(typed, caret) {
      const asked = asksList(typed, maySee(api, routed));
      if (asked === null) return null;
      const { screen, line } = asked;
      const known = completing.get(screen);
      if (known !== undefined) return known(line, typed, caret);
      return completesOf(api, screen).then((complete) => {
        completing.set(screen, complete);
        return complete(line, typed, caret);
      });
    },
    async findRecords(typed, signal) {
      const asked = asksList(typed, maySee(api, routed));
      if (asked === null) return findText(typed, signal);
      const [answers, ofText] = await Promise.all([
        queryAnswers(api, asked, signal),
        isOfWords(api, asked).then((only) => (only ? findText(typed, signal) : [])),
      ]);
      const answered = new Set(answers.map(({ id }) => id));
      return [...answers, ...ofText.filter(({ id }) => !answered.has(id))];
    },
    async findLinked(screen, typed, signal) {
      const kind = searchKinds.find((one) => searchScreens[one] === screen);
      const q = typed.slice(0, longestSearch);
      if (screen === "user-groups" && !may(screens[screen].permission)) return findGiven(q, signal);
      if (kind === undefined) return findListed(screen, q, signal);
      if (!may(searchPermissions[kind])) return [];
      const { data } = await api.call(searchRoutes.search, { query: { q, kinds: kind } }, { background: true, signal });
      // without a code the name comes first
      return data.map(({ uuid, params, name, note, currency }) => ({
        uuid,
        ...(currency === "" || note === "" ? { code: null, name } : { code: name, name: note }),
        in: { screen, params },
      }));
    },
  };
}
