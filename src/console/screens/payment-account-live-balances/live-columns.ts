import type { LiveMeta } from "../../../contract/live-balances.ts";
import { isUnread } from "../../../contract/live-shows.ts";
import { formatCount } from "../../../values/counts.ts";
import type { Formats } from "../../api/formats.ts";
import { spanText } from "../../api/formats.ts";
import { instantTitle } from "../../api/instant.tsx";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { titledWidth } from "../../kit/grid/title-width.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { drawIcon, iconElement } from "../../kit/look/icon-element.ts";
import { usedHue } from "../../kit/look/used-bar.tsx";
import { writtenClass, writtenText, writtenTitle } from "../../kit/look/written.ts";
import type { MessageKey } from "../../kit/texts/messages.ts";
import type { text } from "../../kit/texts/texts.ts";
import { element } from "../../kit/grid/element.ts";
import type { Room } from "../../lists/use-room.ts";
import { drawSpark } from "./course.ts";
import type { Grouping, HeadingLine, LimitName, LiveLine } from "./live-lines.ts";
import { isAccount, limitNames, usedPercent } from "./live-lines.ts";
import { markOfAccount } from "./account-mark.ts";
import { shortAmount } from "../../kit/look/short-amount.ts";
import { money } from "../../../values/money.ts";

interface Needs {
  readonly formats: Formats;
  /** The server's clock, ms. */
  now(): number;
  meta(): LiveMeta | null;
  readonly grouping: Grouping;
  readonly room: Room;
  readonly t: typeof text;
}

type Column = GridColumn<LiveLine>;

/** Fields the grid may be sorted by. */
export const liveSorts = ["code", "balance", "payable", ...limitNames, "open"] as const;

const percent = (used: number | null): string => (used === null ? "–" : `${Math.round(used)} %`);

/** What a heading is called, and what more its second cell says. */
function headingName({ name }: HeadingLine, grouping: Grouping, t: typeof text): string {
  if (name === null) return t("live-balance.first");
  return grouping === "type" ? t(`payment-account.type.${name}` as MessageKey) : name; // every type has its text
}

function headingNote({ name, count, above }: HeadingLine, t: typeof text): string {
  const counted = t("live-balance.accounts", { count, shown: formatCount(count) });
  return name === null || above === 0 ? counted : `${counted} · ${t("live-balance.above", { count: above, shown: formatCount(above) })}`;
}

const amountTitles = {
  balance: "payment-account.field.balance",
  hold_amount: "live-balance.column.hold",
  reserve_amount: "live-balance.column.reserve",
  payable: "payment-account.field.payable",
} as const;
const groupKey = { deposit: "live-balance.column.deposit-limits", withdrawal: "live-balance.column.withdrawal-limits" } as const;

export function liveColumns({ formats, now, meta, grouping, room, t }: Needs): readonly Column[] {
  const isWide = room === "wide";
  const head = (line: LiveLine): string => (isAccount(line) ? "" : "live-heading");

  const amountColumn = (id: keyof typeof amountTitles, width: number, more: Partial<Column> = {}): Column => ({
    id,
    titleKey: amountTitles[id],
    width: titledWidth(t(amountTitles[id]), width),
    align: "end",
    sortable: id === "balance" || id === "payable",
    text: (line) => formats.amount(line[id]),
    amount: (line) => line[id],
    ...more,
  });

  const limitColumn = (id: LimitName): Column => {
    const [kind, period] = id.split("_") as ["deposit" | "withdrawal", "daily" | "monthly"]; // what the names are made of
    const periodKey = period === "daily" ? "live-balance.column.day" : "live-balance.column.month";
    return {
      id,
      titleKey: `payment-account.field.${id}`,
      under: { groupKey: groupKey[kind], titleKey: periodKey },
      width: 96,
      minWidth: 88,
      grow: 1,
      align: "end",
      sortable: true,
      whole: true,
      aside: room === "narrow" && period === "monthly",
      cell: { field: id, as: "limit" },
      text(line) {
        if (!isAccount(line)) return percent(usedPercent(line.limits[id]));
        const { used, limit } = line[id];
        return `${shownAmount(used)} / ${limit === null ? t("record.no-limit") : shownAmount(limit)}`;
      },
      paint(cell) {
        const holder = element("div", "live-limit", cell);
        const figures = element("span", "of", holder);
        const [used, limit] = [element("b", "", figures), element("i", "", figures)];
        const track = element("span", "room", holder);
        const bar = element("i", "", track);
        const [setUsed, setLimit, setHue, setTitle] = [writtenText(used), writtenText(limit), writtenClass(holder), writtenTitle(holder)];
        let drawn: string | null = null;
        return (line) => {
          const whole = isAccount(line) ? line[id] : line.limits[id];
          const share = usedPercent(whole);
          setHue(isAccount(line) ? `live-limit ${usedHue(share ?? 0)}` : "live-limit sums");
          setUsed(isAccount(line) ? shortAmount(whole.used) : percent(share));
          setLimit(isAccount(line) ? (whole.limit === null ? "–" : shortAmount(whole.limit)) : "");
          setTitle(
            isAccount(line) ? `${shownAmount(whole.used)} / ${whole.limit === null ? t("record.no-limit") : shownAmount(whole.limit)}` : "",
          );
          const width = share === null || !isAccount(line) ? "" : `${Math.min(100, share).toFixed(1)}%`;
          if (width === drawn) return;
          drawn = width;
          track.hidden = width === "";
          bar.style.setProperty("--v", width || "0%");
        };
      },
    };
  };

  const state: Column = {
    id: "state",
    titleKey: "payment-account.field.state",
    // the heading of the first accounts stands here, too, beside an icon
    width: titledWidth(t("live-balance.first"), 118) + 18,
    paintRoom: 18,
    cell: { field: "mark", as: "choice", words: ["status.", "live-balance.only."] },
    className: head,
    text: (line) => (isAccount(line) ? markOfAccount(line, t).word : headingName(line, grouping, t)),
    paint(cell) {
      const holder = element("span", "st", cell);
      const icon = iconElement("info");
      const word = document.createElement("span");
      holder.append(icon, word);
      const [setClass, setWord] = [writtenClass(holder), writtenText(word)];
      return (line) => {
        const mark = isAccount(line) ? markOfAccount(line, t) : null;
        const isFirst = !isAccount(line) && line.name === null;
        setClass(mark === null ? `st ${isFirst ? "critical" : "neutral"} live-name` : `st ${mark.hue}`);
        icon.style.display = mark === null && !isFirst ? "none" : "";
        drawIcon(icon, mark?.icon ?? "critical");
        setWord(isAccount(line) ? (mark?.word ?? "") : headingName(line, grouping, t));
      };
    },
  };
  const account: Column = {
    id: "code",
    titleKey: "live-balance.column.account",
    width: 132,
    sortable: true,
    text: (line) => (isAccount(line) ? line.code : headingNote(line, t)),
    className: (line) => (isAccount(line) ? (line.attention ? "mono strong" : "mono") : "t3 live-note"),
  };
  const open: Column = {
    id: "open",
    titleKey: "live-balance.column.open",
    width: titledWidth(t("live-balance.column.open"), 76),
    align: "end",
    sortable: true,
    cell: { field: "open", as: "text" },
    text(line) {
      const [into, out] = isAccount(line) ? [line.open_in.count, line.open_out.count] : [line.in, line.out];
      return `${formatCount(into)} · ${formatCount(out)}`;
    },
    hint: (line) =>
      isAccount(line)
        ? t("live-balance.open-hint", { into: shownAmount(line.open_in.amount), out: shownAmount(line.open_out.amount) })
        : "",
    className: (line) => (isAccount(line) && line.open_in.count + line.open_out.count === 0 ? "t3" : ""),
  };
  const today: Column = {
    id: "today",
    titleKey: "live-balance.column.today",
    width: 84,
    quiet: true,
    aside: room === "narrow",
    cell: null,
    text: (line) => (isAccount(line) ? (line.day?.points ?? []).map(shownAmount).slice(-1).join("") : ""),
    paint: (cell) => drawSpark(cell, () => ({ now: now(), meta: meta() })),
  };
  const read: Column = {
    id: "read",
    titleKey: "live-balance.column.read",
    width: titledWidth(t("live-balance.column.read"), 68),
    align: "end",
    tick: true,
    quiet: true,
    aside: !isWide,
    cell: { field: "read_at", as: "time" },
    text: (line) => (isAccount(line) ? (line.read_at === null ? "–" : spanText(now() - Date.parse(line.read_at))) : ""),
    hint: (line) => (isAccount(line) && line.read_at !== null ? instantTitle(formats, line.read_at, "part") : ""),
    className(line) {
      const times = meta();
      return isAccount(line) && times !== null && line.status !== "inactive" && isUnread(line, times) ? "warn" : "t3";
    },
  };
  const bank: Column = {
    id: "bank",
    titleKey: "payment-account.field.bank",
    width: 112,
    aside: grouping === "bank",
    text: (line) => (isAccount(line) ? line.bank : ""),
  };
  return [
    state,
    account,
    bank,
    amountColumn("balance", 112, { className: () => "strong" }),
    amountColumn("hold_amount", 88, { aside: room === "narrow", className: () => "t2" }),
    amountColumn("reserve_amount", 96, { aside: room === "narrow", className: () => "t2" }),
    amountColumn("payable", 112, { className: ({ payable }) => (money(payable) < 0n ? "fail strong" : "") }),
    ...limitNames.map(limitColumn),
    open,
    today,
    read,
  ];
}
