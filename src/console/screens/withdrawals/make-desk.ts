import type { PayingAccount } from "../../../contract/transactions.ts";
import { transactionStatuses } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import type { Place } from "../../api/place.ts";
import { spanText } from "../../api/formats.ts";
import type { SignedIn } from "../../api/session.ts";
import type { Reason } from "../../kit/command.ts";
import type { GridHandle } from "../../kit/grid/grid-handle.ts";
import type { Services } from "../../kit/services.ts";
import { text } from "../../kit/texts.ts";
import { checkLine } from "./check-lines.ts";
import { ageOf } from "./columns.ts";
import type { WithdrawalDesk } from "./desk.ts";
import { columnFilters, filterNames, filterTitles, isReadable } from "./filters.ts";
import type { Asked, FilterName, Filters } from "./filters.ts";
import type { WithdrawalList } from "./withdrawal-list.ts";
import { belongs } from "./withdrawal-list.ts";

/** The screen as it is at the moment a command asks. */
export interface DeskNow {
  readonly asked: Asked;
  readonly place: Place;
  readonly detail: WithdrawalDetail | null;
  readonly config: SignedIn["config"];
}

export interface DeskDoors {
  now(): DeskNow;
  readonly list: WithdrawalList;
  readonly me: string;
  grid(): GridHandle<Withdrawal> | null;
  /** The server's clock, ms. */
  time(): number;
  readonly services: Services;
  findField(): HTMLInputElement | null;
  showHistory(): void;
}

const noFilters = Object.fromEntries(filterNames.map((name) => [name, null]));

/** Filters as search parameters: those not set are taken out. */
export const filterSearch = (filters: Filters): Record<string, string | null> => ({ ...noFilters, ...filters });

/** Lends the commands what only this screen knows. */
export function makeDesk({ now, list, me, grid, time, services, findField, showHistory }: DeskDoors): WithdrawalDesk {
  /** In the order they were set here; the rest by their names' order. */
  let lately: FilterName[] = [];

  const set = (name: FilterName, value: string): void => {
    lately = [...lately.filter((other) => other !== name), name];
    now().place.set({ [name]: value }, true);
  };

  const target = () => {
    const column = grid()?.columnUnderCursor()?.id;
    return column === undefined ? null : (columnFilters[column] ?? null);
  };

  async function asked(name: FilterName): Promise<string | null> {
    const title = { title: "withdrawal.ask.filter", words: { column: text(filterTitles[name]) } } as const;
    const option = (id: string, label: string, note = "") => ({ id, label, note, refused: null });
    if (name === "status")
      return services.ask("choice", { ...title, options: transactionStatuses.map((status) => option(status, text(`status.${status}`))) });
    if (name === "merchant") {
      const merchants = new Map(list.source.rows.map(({ merchant }) => [merchant.uuid, merchant]));
      const sorted = [...merchants.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return services.ask("choice", { ...title, options: sorted.map(({ uuid, name: label, code }) => option(uuid, label, code)) });
    }
    const hint = name === "amount" || name === "created" ? (`withdrawal.ask.hint.${name}` as const) : "withdrawal.ask.hint.text";
    let initial = now().asked.filters[name] ?? "";
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- asked again, with what was typed, until it can be read
      const typed = await services.ask("text", { ...title, initial, maximum: 100, hint });
      if (typed === null || typed === "" || isReadable(name, typed)) return typed;
      services.say("withdrawal.said.filter-unreadable", { text: typed }, "warn");
      initial = typed;
    }
  }

  return {
    get settings() {
      return now().config.withdrawals;
    },
    gone(uuid) {
      const row = list.takenBy(uuid);
      if (row === null) return list.source.isTombstone(uuid) ? "withdrawal.refuse.gone" : null;
      const by = row.claim?.name ?? (row.approved_by ?? row.rejected_by ?? row.last_action_by).name;
      return { key: `withdrawal.taken.${row.status}`, words: { name: by } } satisfies Reason;
    },
    failing(uuid) {
      const { detail } = now();
      if (detail?.row.uuid !== uuid) return null;
      const fails = detail.checks.find(({ result }) => result === "fail");
      if (!fails) return detail.row.paying_account === null && detail.row.status !== "approved" ? "withdrawal.refuse.no-account" : null;
      const { title, value } = checkLine(fails, text);
      return { key: "withdrawal.refuse.check", words: { check: `${title}: ${value}` } };
    },
    accounts(uuid): readonly PayingAccount[] | null {
      const { detail } = now();
      return detail?.row.uuid === uuid ? detail.accounts : null;
    },
    age: (row) => spanText(ageOf(row, time())),
    left(uuids) {
      const { count } = list.getState();
      if (count === null) return null;
      const leaving = uuids.filter((uuid) => {
        const row = list.source.get(uuid);
        return row !== undefined && belongs(row, list.view, me) && list.view !== "today" && list.view !== "all";
      });
      return Math.max(0, count - leaving.length);
    },
    showHistory,
    find() {
      const field = findField();
      field?.focus();
      field?.select();
    },
    unfiltered: () => (target() === null ? "withdrawal.refuse.no-filter-here" : null),
    async filterColumn() {
      const filter = target();
      if (filter === null) return;
      const value = await asked(filter.name);
      if (value === null) return;
      if (value === "") now().place.set({ [filter.name]: null }, true);
      else set(filter.name, value);
    },
    filterByValue() {
      const filter = target();
      const row = grid()?.cursorRow() ?? null;
      if (filter !== null && row !== null) set(filter.name, filter.value(row));
    },
    waiting: () => list.getState().waiting,
    showNew: () => void list.reload(),
    dropFilter() {
      const { asked: present, place } = now();
      const is = (name: FilterName) => present.filters[name] !== undefined;
      const last = lately.findLast(is) ?? filterNames.findLast(is);
      if (last === undefined) return;
      lately = lately.filter((name) => name !== last);
      place.set({ [last]: null }, true);
    },
    hasFilters: () => Object.keys(now().asked.filters).length > 0,
  };
}
