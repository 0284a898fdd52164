import type { Dashboard } from "../../../contract/dashboard.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { moneyText } from "../../../values/money.ts";
import { spanText } from "../../api/formats.ts";
import type { MessageKey } from "../../kit/texts/messages.ts";
import type { text } from "../../kit/texts/texts.ts";
import { signed } from "../../kit/look/changes.ts";
import { ageText, amountOf, hourText, netOf } from "./day.ts";
import type { Behind, BoardMotion as Motion } from "../../kit/commands/desks.ts";

/** In the order of Tab. */
export const panelNames = ["figures", "flow", "minutes", "ages", "merchants", "accounts", "callbacks", "operators"] as const;
export type PanelName = (typeof panelNames)[number];

export const panelTitle = (name: PanelName): MessageKey => `dashboard.panel.${name}`;

/** Panels that can be shown as tables instead. */
export const charts: ReadonlySet<PanelName> = new Set(["flow", "minutes", "ages"]);

export const figureNames = ["deposits", "withdrawals", "net", "fees", "rate", "median"] as const;
export type FigureName = (typeof figureNames)[number];

/** The two halves of the flow's bars: deposits up, withdrawals down. */
export type Lane = "deposits" | "withdrawals";

/** A thing on which the cursor can be. */
export interface Item {
  readonly id: string;
  /** Shown on the status bar after the panel's title. */
  readonly name: string;
  /** Its figures as texts. */
  readonly notes: readonly string[];
  readonly behind: Behind;
}

const approved = "approved,completed";
const withdrawals = (search: Record<string, string> = {}): Behind => ({
  screen: "withdrawals",
  search: { view: "today", status: approved, ...search },
});
const deposits = (search: Record<string, string> = {}): Behind => ({
  screen: "deposits",
  search: { view: "today", status: approved, ...search },
});
/** Filter on the approval time: the hour's first and last minute, both included. */
function within(day: string, hour: number): Record<string, string> {
  const begin = `${day}T${hourText(hour)}`;
  return { approved: `${begin}..${begin.replace(/00$/, "59")}` };
}
/** Filter on the creation time: at least `from` minutes ago and less than `to`. */
function aged(from: number, to: number | null): Record<string, string> {
  const ago = (minutes: number | null) => (minutes ? `-${Math.round(minutes * 60)}s` : "");
  return { created: `${ago(to)}..${ago(from)}` };
}

/** A claimed transaction on the screen of its kind, which is the first letter of its number. */
const claimed = (number: string): Behind =>
  number.startsWith("D")
    ? { screen: "deposits", search: { view: "queue", q: number } }
    : { screen: "withdrawals", search: { view: "process", q: number } };

const figuresBehind: Readonly<Record<FigureName, Behind>> = {
  deposits: deposits(),
  withdrawals: withdrawals(),
  net: { screen: "cash-flow-reports", search: { day: "today" } },
  fees: { screen: "merchant-daily-reports", search: { day: "today" } },
  rate: withdrawals({ status: `${approved},rejected` }),
  median: withdrawals(),
};

export interface Asking {
  readonly t: typeof text;
  readonly lane: Lane;
  /** The current hour. */
  readonly hour: number;
}

/** The things in a panel on which the cursor can be, and where each leads. */
export function itemsOf(board: Dashboard, name: PanelName, { t, lane, hour: present }: Asking): readonly Item[] {
  switch (name) {
    case "figures":
      return figureNames.map((id) => ({ id, name: t(`dashboard.figure.${id}`), notes: [], behind: figuresBehind[id] }));
    case "flow":
      return board.hours.map((hour) => ({
        id: String(hour.hour),
        name: `${hourName(t, hour.hour, present)} · ${t(`dashboard.flow.${lane}`)}`,
        notes: [
          `${t("dashboard.flow.deposits")} ${shownAmount(hour.deposits.amount)}`,
          `${t("dashboard.flow.withdrawals")} ${shownAmount(hour.withdrawals.amount)}`,
          `${t("dashboard.flow.net")} ${signed(netOf(hour))}`,
          `${t("dashboard.flow.yesterday")} ${shownAmount(hour.deposits_yesterday)}`,
        ],
        behind: (lane === "deposits" ? deposits : withdrawals)(within(board.day, hour.hour)),
      }));
    case "minutes":
      return board.hours.slice(0, minuteColumns(present)).map((hour) => ({
        id: String(hour.hour),
        name: hourName(t, hour.hour, present),
        notes: [
          `p50 ${secondsText(hour.median_seconds)}`,
          `p95 ${secondsText(hour.p95_seconds)}`,
          t("dashboard.approved", { count: hour.withdrawals.count }),
        ],
        behind: withdrawals(within(board.day, hour.hour)),
      }));
    case "ages":
      return board.queue.ages.map(({ from, to, count }) => ({
        id: String(from),
        name: t("dashboard.minutes", { minutes: ageText(from, to) }),
        notes: [t("dashboard.open", { count })],
        behind: { screen: "withdrawals", search: { view: "queue", ...aged(from, to) } },
      }));
    case "merchants":
      return board.merchants.map(({ uuid, name: merchant, amount }) => ({
        id: uuid,
        name: merchant,
        notes: [shownAmount(amount)],
        behind: withdrawals({ merchant: uuid }),
      }));
    case "accounts":
      return board.accounts.map(({ uuid, code, balance }) => ({
        id: uuid,
        name: code,
        notes: [shownAmount(balance)],
        behind: { screen: "payment-accounts", search: { q: code, record: uuid } },
      }));
    case "callbacks":
      return board.callbacks.map(({ uuid, name: merchant, waiting }) => ({
        id: uuid,
        name: merchant,
        notes: [t("dashboard.waiting", { count: waiting })],
        behind: { screen: "merchants", search: { q: merchant, record: uuid } },
      }));
    case "operators":
      return board.operators.map(({ name: operator, doing, decided }, at) => ({
        id: `${operator} ${at}`,
        name: operator,
        notes: [t("dashboard.decided", { count: decided })],
        behind: doing === null ? { ...withdrawals({ status: `${approved},rejected` }), note: "dashboard.said.everybody" } : claimed(doing),
      }));
  }
}

const hourName = (t: typeof text, hour: number, present: number): string =>
  hour === present ? t("dashboard.so-far", { hour: hourText(hour) }) : hourText(hour);

export const secondsText = (seconds: number | null): string => (seconds === null ? "–" : spanText(seconds * 1000));

/** Hours on the minutes' axis: up to now, but never so few that a line is a mere stroke. */
export const minuteColumns = (hour: number): number => Math.max(8, hour + 1);

/** The cursor's thing and index: it stays on the thing while that exists, else at the index. */
export interface Cursor {
  readonly id: string;
  readonly at: number;
}

/** -1 where there is nothing to be on. */
export function placeOf(items: readonly Item[], cursor: Cursor | undefined): number {
  if (cursor === undefined) return items.length === 0 ? -1 : 0;
  const same = items.findIndex(({ id }) => id === cursor.id);
  return same === -1 ? Math.min(cursor.at, items.length - 1) : same;
}

/** The step of a motion: bars and figures are side by side, rows below each other; steps across follow the reading direction. */
export function step(motion: Motion, across: boolean, rightToLeft: boolean): 1 | -1 | 0 | "first" | "last" {
  if (motion === "first" || motion === "last") return motion;
  if (!across) return motion === "down" ? 1 : motion === "up" ? -1 : 0;
  if (motion === "up" || motion === "down") return 0;
  return (motion === "right") === rightToLeft ? -1 : 1;
}

/** In ten-thousandths, for the length of a bar only, never for a figure. */
export const reach = (amount: string): number => Number(moneyText(amountOf(amount)));
