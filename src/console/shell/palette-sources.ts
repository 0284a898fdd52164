import { routes } from "../../contract/index.ts";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { alwaysOffered } from "../../contract/settings.ts";
import type { Found } from "../../contract/search.ts";
import type { Withdrawal } from "../../contract/withdrawals.ts";
import type { Deposit } from "../../contract/deposits.ts";
import type { Api } from "../api/api.ts";
import { createFormats } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import { screenIcons } from "../kit/icon.tsx";
import type { MessageKey } from "../kit/messages.ts";
import type { FoundRecord, PaletteSources } from "../kit/palette-store.ts";
import { text } from "../kit/texts.ts";
import { besideParam, readBeside } from "./beside.ts";
import { parseMoney } from "../../values/money.ts";

/** Records listed per kind, of those with an amount. */
const most = 6;

const screenOf = {
  withdrawal: "withdrawals",
  deposit: "deposits",
  merchant: "merchants",
  "payment-account": "payment-accounts",
} as const satisfies Record<Found["kind"], ScreenName>;

/** Where a record is found on its screen. */
const searchOf = (screen: ScreenName, name: string, uuid: string): FoundRecord["search"] => ({
  ...(screen === "withdrawals" && { view: "all" }),
  q: name,
  record: uuid,
});

/** Tenants, currencies, languages and records for the palette. */
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
  const shown = ({ kind, uuid, name, note, amount, currency, status }: Found): FoundRecord => {
    const screen = screenOf[kind];
    return {
      id: uuid,
      name,
      note,
      end: [text(`status.${status}`), amount === null ? "" : `${formats.amount(amount)} ${currency}`].filter(Boolean).join(" · "),
      icon: screenIcons[screen],
      screen,
      search: searchOf(screen, name, uuid),
    };
  };
  const found = (screen: "withdrawals" | "deposits", row: Withdrawal | Deposit): FoundRecord => ({
    id: row.uuid,
    name: row.txn_no,
    note: row.customer_name,
    end: `${formats.amount(row.amount)} ${row.currency}`,
    icon: screenIcons[screen],
    screen,
    search: searchOf(screen, row.txn_no, row.uuid),
  });

  const isScreen = (name: string): name is ScreenName => name in screens;

  /** Transactions of just this amount. */
  async function findAmount(amount: string, signal: AbortSignal): Promise<FoundRecord[]> {
    const query = { "filter[amount_from]": amount, "filter[amount_to]": amount };
    const options = { background: true, signal } as const;
    const lists = await Promise.all([
      open("withdrawals")
        ? api
            .call(routes.listWithdrawals, { query: { ...query, view: "all", limit: most } }, options)
            .then(({ data }) => data.map((row) => found("withdrawals", row)))
        : [],
      open("deposits")
        ? api
            .call(routes.listDeposits, { query: { ...query, limit: most } }, options)
            .then(({ data }) => data.map((row) => found("deposits", row)))
        : [],
    ]);
    return lists.flat();
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
    async findRecords(q, signal) {
      if (!isAllowed(at()?.context.permissions ?? {}, routes.search.permission)) return [];
      const { data } = await api.call(routes.search, { query: { q } }, { background: true, signal });
      return data.filter(({ kind }) => routed.has(screenOf[kind])).map(shown);
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
        search: pane.startsWith("beside.") ? second : main,
      };
    },
    toldAt(machine) {
      const instant = new Date(machine + api.time.now() - Date.now()).toISOString();
      const here = createFormats(at()?.currency?.country.timezone.gmt);
      return { instant, clock: here.seconds(instant), title: instantTitle(here, instant, "part") };
    },
    recall({ id, screen, name }) {
      const permissions = at()?.context.permissions ?? {};
      if (!isScreen(screen) || !routed.has(screen) || !isAllowed(permissions, screens[screen].permission)) return null;
      return { id, name, icon: screenIcons[screen], note: text(`screen.${screen}`), screen, search: searchOf(screen, name, id) };
    },
    findAmount: async (amount, signal) => {
      const plain = amount.replaceAll(",", "");
      return parseMoney(plain) === null ? [] : findAmount(plain, signal);
    },
  };
}
