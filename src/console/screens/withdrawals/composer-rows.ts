import type { PayoutAccount, PayoutRow } from "../../../contract/payouts.ts";
import { money, moneyText } from "../../../values/money.ts";
import type { GridRow } from "../../kit/grid/grid-column.ts";
import { isPaid } from "./composer-plan.ts";
import type { Paid } from "./composer-plan.ts";
import type { ComposerState } from "./composer-work.ts";
import { keyOf, whyWords } from "./composer-words.ts";
import type { Wording } from "./composer-words.ts";

/** A line of the composer's list: an account with what it pays, a withdrawal, or the heading of those that are not paid. */
export type ComposerRow = AccountLine | PayoutLine | HeadingLine;

interface Line extends GridRow {
  readonly amount: string;
  /** Of the bank; null: there are none to show. */
  readonly charges: string | null;
  readonly count: number;
}

export interface AccountLine extends Line {
  readonly kind: "account";
  readonly account: PayoutAccount;
  readonly key: string;
}

export interface HeadingLine extends Line {
  readonly kind: "heading";
  readonly of: "cannot" | "failed";
}

export interface PayoutLine extends Line {
  readonly kind: "payout";
  readonly row: PayoutRow;
  /** placed: an account pays it · cannot: none does · out: left out by hand. */
  readonly place: "placed" | "cannot" | "out" | "failed";
  readonly paid: Paid | null;
  readonly why: string;
  readonly byHand: boolean;
}

const sum = (rows: readonly PayoutRow[]): string => moneyText(rows.reduce((all, { amount }) => all + money(amount), 0n));

const isLost = (paid: Paid | undefined): boolean => paid !== undefined && !isPaid(paid) && paid.as !== "sending";

/** The plan as its list shows it: account by account in the order of their keys, then what cannot be paid, then what was left out. */
export function composerRows(state: ComposerState, wording: Wording): readonly ComposerRow[] {
  const { plan, order, paid, adjusted } = state;
  if (plan === null) return [];
  const line = (row: PayoutRow, place: PayoutLine["place"]): PayoutLine => ({
    kind: "payout",
    uuid: row.uuid,
    row,
    place,
    amount: row.amount,
    charges: place === "placed" ? row.charges : null,
    count: 1,
    paid: paid.get(row.uuid) ?? null,
    why: whyWords(state, row, wording),
    byHand: adjusted.pins.has(row.uuid),
  });
  const accounts = new Map(plan.accounts.map((account) => [account.uuid, account]));
  const failed = plan.rows.filter(({ uuid }) => isLost(paid.get(uuid)));
  const lost = new Set(failed.map(({ uuid }) => uuid));
  const byAccount = Map.groupBy(
    plan.rows.filter(({ uuid, account }) => account !== null && !lost.has(uuid)),
    ({ account }) => account ?? "",
  );
  const placed = order.flatMap((uuid): ComposerRow[] => {
    const account = accounts.get(uuid);
    const rows = byAccount.get(uuid);
    if (account === undefined || rows === undefined) return [];
    const { charges } = account;
    const key = keyOf(state, uuid);
    return [
      { kind: "account", uuid: `account ${uuid}`, account, key, amount: sum(rows), charges, count: rows.length },
      ...rows.map((row) => line(row, "placed")),
    ];
  });
  const unplaced = plan.rows.filter(({ account }) => account === null);
  const isOut = ({ uuid }: PayoutRow): boolean => adjusted.withoutRows.has(uuid);
  const cannot = unplaced.filter((row) => !isOut(row));
  const group = (of: HeadingLine["of"], rows: readonly PayoutRow[]): ComposerRow[] =>
    rows.length === 0
      ? []
      : [
          { kind: "heading", of, uuid: `heading ${of}`, amount: sum(rows), charges: null, count: rows.length },
          ...rows.map((row) => line(row, of)),
        ];
  return [...group("failed", failed), ...placed, ...group("cannot", cannot), ...unplaced.filter(isOut).map((row) => line(row, "out"))];
}

/** The account a line is about. */
export function accountAt(line: ComposerRow | null): string | null {
  if (line === null || line.kind === "heading") return null;
  return line.kind === "account" ? line.account.uuid : line.row.account;
}

/** The withdrawals a line stands for. */
export function payoutsAt({ plan }: Pick<ComposerState, "plan">, line: ComposerRow | null): readonly PayoutRow[] {
  if (line === null || line.kind === "heading") return [];
  if (line.kind === "payout") return plan?.rows.filter(({ uuid }) => uuid === line.uuid) ?? [];
  return plan?.rows.filter(({ account }) => account === line.account.uuid) ?? [];
}

/** Share of a whole in percent, for a bar; 0–100. */
export function share(part: string | bigint, whole: string): number {
  const [of, all] = [typeof part === "bigint" ? part : money(part), money(whole)];
  if (all <= 0n || of <= 0n) return 0;
  return Math.min(100, Number((of * 10_000n) / all) / 100);
}
