import type { Formats } from "../../api/formats.ts";
import { spanText } from "../../api/formats.ts";
import { formatCount } from "../../../values/counts.ts";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { titledWidth } from "../../kit/grid/title-width.ts";
import { iconElement } from "../../kit/look/icon-element.ts";
import type { IconName } from "../../kit/look/icon-names.ts";
import { writtenClass, writtenText } from "../../kit/look/written.ts";
import type { text } from "../../kit/texts/texts.ts";
import { element } from "../../kit/grid/element.ts";
import type { Room } from "../../lists/use-room.ts";
import type { ComposerRow, PayoutLine } from "./composer-rows.ts";

interface Needs {
  readonly formats: Formats;
  /** The server's clock, ms. */
  now(): number;
  readonly room: Room;
  readonly t: typeof text;
}

type Column = GridColumn<ComposerRow>;

/** What stands at the start of a withdrawal's line: its outcome, or whether it is of the plan. */
function markOf({ place, paid }: PayoutLine): { readonly icon: IconName; readonly tone: string } | null {
  switch (paid?.as) {
    case "done":
      return { icon: "tick", tone: "pass" };
    case "second":
      return { icon: "users", tone: "warn" };
    case "sending":
      return { icon: "process", tone: "t2" };
    case "unanswered":
      return { icon: "unknown", tone: "warn" };
    case "stopped":
      return { icon: "clock", tone: "t2" };
    default:
      return place === "cannot" || place === "failed" ? { icon: "cross", tone: "fail" } : null;
  }
}

/** A heading's lines are raised, what cannot be paid keeps its reason's colour, what was left out steps back. */
function lineClass(row: ComposerRow): string {
  if (row.kind !== "payout") return row.kind === "heading" ? "composer-line composer-heading" : "composer-line";
  return row.place === "out" ? "composer-out" : "";
}

const payout = (row: ComposerRow): PayoutLine | null => (row.kind === "payout" ? row : null);

export function composerColumns({ formats, now, room, t }: Needs): readonly Column[] {
  const narrow = room === "narrow";
  const countOf = ({ count }: ComposerRow): string => (narrow ? formatCount(count) : t("payout.count", { count }));
  const to: Column = {
    id: "to",
    titleKey: "payout.column.to",
    width: 44,
    text: (row) => (row.kind === "account" ? row.key : ""),
    className: lineClass,
    paint(cell) {
      const holder = element("span", "composer-to", cell);
      let shown = "";
      return (row) => {
        const mark = row.kind === "payout" ? markOf(row) : row.kind === "heading" ? { icon: "cross" as const, tone: "fail" } : null;
        const key = row.kind === "account" ? row.key : row.kind === "payout" && row.place === "out" ? "x" : "";
        const name = `${row.kind} ${mark?.icon ?? ""} ${mark?.tone ?? ""} ${key}`;
        if (name === shown) return;
        shown = name;
        holder.replaceChildren();
        if (mark !== null) holder.append(iconElement(mark.icon, `icon size-s ${mark.tone}`));
        else if (key !== "") element("kbd", "", holder).textContent = key;
        else if (row.kind === "payout") element("span", "box on", holder).append(iconElement("tick-in-box"));
      };
    },
  };
  const customer: Column = {
    id: "customer",
    titleKey: "transaction.column.customer",
    width: narrow ? 110 : 150,
    minWidth: 110,
    grow: 1,
    text(row) {
      if (row.kind === "payout") return row.row.customer_name;
      return row.kind === "account" ? `${row.account.code} ${row.account.bank} ${row.account.holder}` : t(`payout.heading.${row.of}`);
    },
    className: (row) => (row.kind === "payout" ? lineClass(row) : "composer-title"),
    paint(cell) {
      const [first, second, third] = [element("bdi", "", cell), element("bdi", "", cell), element("bdi", "", cell)];
      const [setFirst, setSecond, setThird] = [writtenText(first), writtenText(second), writtenText(third)];
      const [dressFirst, dressSecond, dressThird] = [writtenClass(first), writtenClass(second), writtenClass(third)];
      return (row) => {
        dressFirst(row.kind === "payout" ? "cut" : row.kind === "account" ? "mono strong" : "strong");
        dressSecond(row.kind === "payout" ? "" : "t2");
        dressThird(row.kind === "payout" ? "" : "t3");
        if (row.kind === "payout") setFirst(row.row.customer_name);
        else setFirst(row.kind === "account" ? row.account.code : t(`payout.heading.${row.of}`));
        setSecond(
          row.kind === "account" ? row.account.bank : row.kind === "heading" ? (narrow ? "" : t(`payout.heading.${row.of}-note`)) : "",
        );
        setThird(row.kind === "account" ? row.account.holder : "");
      };
    },
  };
  return [
    to,
    {
      id: "amount",
      titleKey: "transaction.column.amount",
      width: 108,
      align: "end",
      className: (row) => `strong ${row.kind === "payout" && row.place === "out" ? "composer-struck" : ""}`.trim(),
      text: (row) => formats.amount(row.amount),
      amount: (row) => row.amount,
    },
    {
      id: "charges",
      titleKey: "payout.column.charges",
      width: titledWidth(t("payout.column.charges"), 68),
      align: "end",
      className: () => "t2",
      text: (row) => (row.charges === null ? "" : formats.amount(row.charges)),
      amount: (row) => row.charges,
    },
    customer,
    {
      id: "bank",
      titleKey: "withdrawal.column.bank",
      width: narrow ? 104 : 148,
      text: (row) => (row.kind === "payout" ? `${row.row.bank} ${row.row.account_number.slice(-4)}` : ""),
      className: lineClass,
      paint(cell) {
        const setBank = writtenText(element("bdi", "grow cut t2", cell));
        const setEnd = writtenText(element("bdi", "l4", cell));
        return (row) => {
          setBank(payout(row)?.row.bank ?? "");
          setEnd(payout(row)?.row.account_number.slice(-4) ?? "");
        };
      },
    },
    {
      id: "merchant",
      titleKey: "transaction.column.merchant",
      width: 120,
      aside: room !== "wide",
      className: (row) => `t2 ${lineClass(row)}`.trim(),
      text: (row) => payout(row)?.row.merchant.name ?? "",
    },
    {
      id: "why",
      titleKey: "payout.column.why",
      width: narrow ? 160 : 232,
      text: (row) => payout(row)?.why ?? "",
      hint: (row) => payout(row)?.why ?? "",
      className(row) {
        const line = payout(row);
        if (line === null) return "";
        const bad = line.place === "cannot" || line.place === "failed" || line.paid?.as === "unanswered";
        return `composer-why ${bad ? "fail" : line.paid?.as === "done" ? "pass" : line.byHand ? "composer-own" : "t3"}`;
      },
    },
    {
      id: "age",
      titleKey: "transaction.column.age",
      width: titledWidth(t("transaction.column.age"), 64),
      align: "end",
      tick: true,
      quiet: true,
      className: (row) => `t2 ${lineClass(row)}`.trim(),
      text: (row) => (row.kind === "payout" ? spanText(now() - Date.parse(row.row.created_at)) : ""),
    },
    {
      id: "txn",
      titleKey: "transaction.column.txn",
      width: narrow ? 84 : 140,
      whole: true,
      paintRoom: 4,
      text: (row) => (row.kind === "payout" ? row.row.txn_no : countOf(row)),
      className: lineClass,
      paint(cell) {
        const id = element("bdi", "id", cell);
        const setHead = writtenText(element("i", "", id));
        const setEnd = writtenText(element("b", "", id));
        const setCount = writtenText(element("span", "t2 end", cell));
        return (row) => {
          const number = payout(row)?.row.txn_no ?? "";
          setHead(number === "" ? "" : narrow ? "…" : number.slice(0, -6));
          setEnd(number.slice(-6));
          setCount(row.kind === "payout" ? "" : countOf(row));
        };
      },
    },
  ];
}
