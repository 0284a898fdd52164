import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import { money } from "../../../values/money.ts";
import type { Formats } from "../../api/formats.ts";
import { spanText } from "../../api/formats.ts";
import { initials } from "../../api/initials.ts";
import { instantTitle } from "../../api/instant.tsx";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { iconElement } from "../../kit/icon-shapes.ts";
import { paintStatus } from "../../kit/status.tsx";
import { text } from "../../kit/texts.ts";
import { writtenClass, writtenText, writtenTitle } from "../../kit/written.ts";
import { inHand } from "./in-hand.ts";
import type { TimeColumn } from "./filters.ts";
import { createdColumn, recordColumns } from "./record-columns.ts";
import type { Room } from "./use-room.ts";

export interface ColumnNeeds {
  readonly formats: Formats;
  /** The server's clock, ms. */
  now(): number;
  readonly me: string;
  /** Minutes of age from which a row is amber, and red. */
  readonly sla: { readonly amber_minutes: number; readonly red_minutes: number };
  /** Not "wide": fee, final and merchant step aside; "narrow": ids keep only their end. */
  readonly room: Room;
  /** The column that stands for the order of time. */
  readonly time: TimeColumn;
}

/** ms an open row has waited, or a decided one took. */
export function ageOf(row: Withdrawal, now: number): number {
  const decided = row.rejected_at ?? row.approved_at ?? row.expired_at;
  return (isOpen(row) || decided === null ? now : Date.parse(decided)) - Date.parse(row.created_at);
}

/** Class of an age: only an open row's can alarm. */
export function ageClass(row: Withdrawal, now: number, sla: ColumnNeeds["sla"]): string {
  if (!isOpen(row)) return "age";
  const minutes = ageOf(row, now) / 60_000;
  return minutes >= sla.red_minutes ? "age re" : minutes >= sla.amber_minutes ? "age am" : "age";
}

/** Used share of a limit in percent, 0–100. */
export function usedShare(used: string, limit: string): number {
  const whole = money(limit);
  return whole <= 0n ? 100 : Math.min(100, Number((money(used) * 1000n) / whole) / 10);
}

/** Grey to 90 % of the limit, then amber; full is red. */
export const roomClass = (share: number): string => (share >= 100 ? "room full" : share >= 90 ? "room hi" : "room");

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string, parent: HTMLElement): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  parent.append(made);
  return made;
}

export function withdrawalColumns({ formats, now, me, sla, room, time }: ColumnNeeds): readonly GridColumn<Withdrawal>[] {
  const narrow = room === "narrow";
  const isWide = room === "wide";
  // the date of creation takes the room of weaker columns where it is shown
  const isDecided = time === "created";
  return [
    {
      id: "status",
      titleKey: "withdrawal.column.status",
      width: 116,
      sortable: true,
      paintRoom: 18,
      text: (row) => text(`status.${row.status}`),
      paint(cell) {
        const write = paintStatus(cell);
        return (row) => write(row.status);
      },
    },
    {
      id: "age",
      titleKey: "withdrawal.column.age",
      width: 64,
      align: "end",
      sortable: !isDecided,
      aside: isDecided && !isWide,
      tick: true,
      quiet: true,
      text: (row) => spanText(ageOf(row, now())),
      hint: (row) => instantTitle(formats, row.created_at, "part"),
      paint(cell) {
        const shown = element("bdi", "age", cell);
        const [setClass, setAge] = [writtenClass(shown), writtenText(shown)];
        return (row) => {
          const at = now();
          setClass(ageClass(row, at, sla));
          setAge(spanText(ageOf(row, at)));
        };
      },
    },
    { ...createdColumn(formats), sortable: isDecided, aside: !isDecided },
    {
      id: "amount",
      titleKey: "withdrawal.column.amount",
      width: 96,
      align: "end",
      sortable: true,
      className: () => "strong",
      text: (row) => formats.amount(row.amount),
      amount: (row) => row.amount,
    },
    {
      id: "fee",
      titleKey: "withdrawal.column.fee",
      width: 60,
      align: "end",
      aside: !isWide || isDecided,
      className: () => "t2",
      text: (row) => formats.amount(row.fee),
      amount: (row) => row.fee,
    },
    {
      id: "final",
      titleKey: "withdrawal.column.final",
      width: 96,
      align: "end",
      aside: !isWide || isDecided,
      text: (row) => formats.amount(row.final_amount),
      amount: (row) => row.final_amount,
    },
    {
      id: "customer",
      titleKey: "withdrawal.column.customer",
      width: 140,
      minWidth: 100,
      grow: 1,
      sortable: true,
      text: (row) => row.customer_name,
    },
    {
      id: "bank",
      titleKey: "withdrawal.column.bank",
      width: 132,
      whole: true,
      paintRoom: 6,
      text: (row) => `${row.bank} ${row.account_number.slice(-4)}`,
      paint(cell) {
        const setBank = writtenText(element("bdi", "grow cut t2", cell));
        const setEnd = writtenText(element("bdi", "l4", cell));
        return (row) => {
          setBank(row.bank);
          setEnd(row.account_number.slice(-4));
        };
      },
    },
    {
      id: "merchant",
      titleKey: "withdrawal.column.merchant",
      width: 108,
      aside: !isWide,
      className: () => "t2",
      text: (row) => row.merchant.name,
    },
    {
      id: "paying",
      titleKey: "withdrawal.column.paying",
      width: narrow ? 104 : 124,
      paintRoom: 50,
      text: (row) => row.paying_account?.code ?? text("withdrawal.no-account"),
      className: (row) => (row.paying_account?.critical === true && isOpen(row) ? "warn" : ""),
      hint: (row) =>
        row.paying_account?.critical === true && isOpen(row) ? text("withdrawal.pays-critical", { account: row.paying_account.code }) : "",
      paint(cell) {
        const setCode = writtenText(element("bdi", "mono", cell));
        const bar = element("span", "room", cell);
        const fill = element("i", "", bar);
        const setClass = writtenClass(bar);
        let shown: number | null | undefined;
        return (row) => {
          const account = row.paying_account;
          setCode(account?.code ?? "–");
          const share = account?.limit ? usedShare(account.used, account.limit) : null;
          if (share === shown) return;
          shown = share;
          bar.hidden = share === null;
          if (share === null) return;
          setClass(roomClass(share));
          fill.style.setProperty("--v", `${share}%`);
          bar.title = text("withdrawal.used-share", { percent: Math.round(share) });
        };
      },
    },
    {
      id: "flags",
      titleKey: "withdrawal.column.flags",
      aside: isDecided && !isWide,
      width: 60,
      paintRoom: 20,
      text: (row) => row.flags.map((flag) => text(`withdrawal.flag.${flag}`)).join(", "),
      paint(cell) {
        const holder = element("span", "flags", cell);
        let shown = "";
        return (row) => {
          const flags = row.flags.join(" ");
          if (flags === shown) return;
          shown = flags;
          holder.replaceChildren(
            ...row.flags.map((flag) => {
              const tone = flag === "first-payee" || flag === "returned" ? "i" : flag === "limit" ? "i fail" : "i warn";
              return iconElement(`flag-${flag}`, tone);
            }),
          );
          holder.title = row.flags.map((flag) => text(`withdrawal.flag.${flag}`)).join(", ");
        };
      },
    },
    {
      id: "txn",
      titleKey: "withdrawal.column.txn",
      width: narrow ? 76 : 136,
      sortable: true,
      whole: true,
      paintRoom: 4,
      text: (row) => row.txn_no,
      paint(cell) {
        const id = element("bdi", "id", cell);
        const setHead = writtenText(element("i", "", id));
        const setEnd = writtenText(element("b", "", id));
        return (row) => {
          setHead(narrow ? "…" : row.txn_no.slice(0, -6));
          setEnd(row.txn_no.slice(-6));
        };
      },
    },
    {
      id: "claim",
      titleKey: "withdrawal.column.claim",
      width: narrow ? 60 : 76,
      tick: true,
      quiet: true,
      paintRoom: 24,
      text: (row) => inHand(row, now(), formats)?.name ?? decider(row),
      hint: (row) => inHand(row, now(), formats)?.whole ?? "",
      paint(cell) {
        const who = element("span", "av", cell);
        const [setClass, setInitials, setName] = [writtenClass(who), writtenText(who), writtenTitle(who)];
        const setShort = writtenText(element("bdi", "label", cell));
        return (row) => {
          const held = inHand(row, now(), formats);
          const name = held?.name ?? decider(row);
          who.hidden = name === "";
          setClass(row.claim?.user === me ? "av me" : "av");
          setInitials(name === "" ? "" : initials(name));
          setName(name);
          setShort(held === null || (narrow && held.whole === null) ? "" : held.short);
        };
      },
    },
    ...recordColumns(formats),
  ];
}

const decider = (row: Withdrawal): string => (row.rejected_by ?? row.approved_by)?.name ?? "";
