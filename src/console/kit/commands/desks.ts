import type { DecisionSettings } from "../../../contract/decisions.ts";
import type { SubjectName } from "../../../contract/index.ts";
import type { Permission } from "../../../contract/permissions.ts";
import type { exportRoutesOf } from "../../../contract/exports.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Whereto } from "../../../contract/addresses.ts";
import type { PaymentAccount } from "../../../contract/payment-accounts.ts";
import type { PayingAccount, Transaction } from "../../../contract/transactions.ts";
import type { Transfer } from "../../../contract/transfers.ts";
import type { TransferKind } from "../../../contract/transfer-forms.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { MessageKey, Words } from "../texts/messages.ts";
import type { Reason, Right } from "./command.ts";
import type { ReportDesk } from "./report-desk.ts";
import type { StatementDesk } from "./statement-desk.ts";
import type { TimelineDesk } from "./timeline-desk.ts";
import type { ViewsDesk } from "./views.ts";

/**
 * What panes lend the commands, beside what every pane tells of its rows: the one map of it. A command that needs a desk names it
 * and is absent from a screen whose panes do not lend it.
 */
export interface Desks {
  /** Of every list. */
  readonly list?: ListDesk | null;
  /** Of lists of plain records. */
  readonly record?: RecordDesk | null;
  /** Of lists whose rows others change. */
  readonly live?: LiveDesk | null;
  /** Of lists that can be worked off one after the other. */
  readonly queue?: QueueDesk | null;
  /** Of lists of transactions to be decided. */
  readonly decision?: DecisionDesk | null;
  /** Of lists of transactions, which may have receipts. */
  readonly receipts?: ReceiptDesk | null;
  /** Of the list of withdrawals, which are paid on a bank's page. */
  readonly bankPage?: BankPageDesk | null;
  /** Of bank lines and what they may be matched to. */
  readonly matching?: MatchingDesk | null;
  /** Of lists that take in a bank's statement. */
  readonly imports?: ImportDesk | null;
  /** Of lists that take in many games at once. */
  readonly gameImports?: { open(): void } | null;
  /** Of lists whose rows money can be moved from or to. */
  readonly moving?: MovingDesk | null;
  /** Of the list of what was moved: the same, because more is made there. */
  readonly transfers?: MovingDesk | null;
  /** Of statements of wallets and payment accounts. */
  readonly statement?: StatementDesk | null;
  /** Of the daily and cash-flow reports. */
  readonly report?: ReportDesk | null;
  /** Of lists whose rows can be paid together. */
  readonly payouts?: PayoutDesk | null;
  /** Of the accounts' balances as they are at this moment. */
  readonly balances?: BalancesDesk | null;
  /** Of lists of which two records are laid side by side. */
  readonly comparing?: ComparingDesk | null;
  /** Of the house's accounts at providers, whose credit is asked for. */
  readonly credit?: CreditDesk | null;
  /** Of a picture of what happens when. */
  readonly timeline?: TimelineDesk | null;
  /** Of the audit log, whose entries are chained. */
  readonly chain?: ChainDesk | null;
  /** Of a page that is a form. */
  readonly form?: FormDesk | null;
  /** Of a page of figures. */
  readonly board?: BoardDesk | null;
  /** Of the dashboard of a tenant that is being set up. */
  readonly steps?: StepsDesk | null;
  /** Of screens with saved views. */
  readonly views?: ViewsDesk | null;
}
export type DeskName = keyof Desks;
const deskNames = [
  "list",
  "record",
  "live",
  "queue",
  "decision",
  "receipts",
  "bankPage",
  "matching",
  "imports",
  "gameImports",
  "moving",
  "transfers",
  "statement",
  "report",
  "payouts",
  "balances",
  "comparing",
  "credit",
  "timeline",
  "chain",
  "form",
  "board",
  "steps",
  "views",
] as const satisfies readonly DeskName[];

/** All that these panes lend together. */
export function lentBy(panes: Iterable<Desks>): Desks {
  const lent: Partial<Record<DeskName, unknown>> = {};
  for (const pane of panes) for (const name of deskNames) lent[name] ??= pane[name];
  return lent as Desks; // each desk under its own name
}

/** What any list does for its commands. */
export interface ListDesk {
  /** The right to see the list. */
  readonly view: Permission;
  /** Takes its rows out as a file; null where the list is not exported. */
  readonly exports: ListExport | null;
  /** Shows the whole history in the detail pane and brings it into view; null where records have none. */
  readonly showHistory: (() => void) | null;
  /** Puts the cursor into the text filter. */
  find(): void;
  /** Why the cursor's column cannot be filtered. */
  unfiltered(): Reason | null;
  /** Asks for a filter of the cursor's column; where it has none, for which. */
  filterColumn(): Promise<void>;
  /** Keeps only rows with the value under the cursor. */
  filterByValue(): void;
  /** Takes a filter off: the one set last. */
  dropFilter(): void;
  hasFilters(): boolean;
  /** Takes all filters and the order off. */
  reset(): void;
  /** Shows its rows as tiles, or as lines again; null where they have no tiles. */
  readonly changeShape: (() => void) | null;
  /** Asks for other dates; null where the list has no date window. */
  readonly askWindow: (() => Promise<void>) | null;
  /** Opens the record that this list belongs to, in the list above; null where no list is above. */
  readonly up: (() => void) | null;
  /** The screen of the record that a line belongs to, or null where this operator sees none; itself null where lines are records. */
  readonly linked: ((row: RecordRow) => LinkedPlace | null) | null;
}

/** A screen, and what of it. */
export interface LinkedPlace {
  readonly screen: ScreenName;
  readonly to: Whereto;
}

/** What an export needs to know of a list besides the rows on screen. */
export interface ListExport {
  readonly routes: NonNullable<ReturnType<typeof exportRoutesOf>>;
  /** Whether a line of its grid is a row, and not a heading of others. */
  isRow(line: unknown): boolean;
  /** Its filters and order are this page's own, so that only the browser can write its rows; it has them all. */
  readonly isHere: boolean;
  /** What it asks for now, as it is sent: the records its path names, and its query without a page. */
  asked(): { readonly params: Readonly<Record<string, string>>; readonly query: Readonly<Record<string, string>> };
  /** The view in force, in words; null: a view is its filters. */
  viewName(): string | null;
  /** Its filters in force, each with its value, in words. */
  filters(): readonly (readonly [label: string, value: string])[];
}

/** A record as commands name it. */
export interface RecordRow {
  readonly uuid: string;
  readonly version: number;
}

export type RecordAct = "create" | "duplicate" | "update" | "status" | "remove";

/** What a list of plain records does for its commands. An act without a right is one these records do not know. */
export interface RecordDesk {
  readonly subject: SubjectName;
  readonly may: Readonly<Partial<Record<RecordAct, Right>>>;
  /** Why this record in particular does not take an act from this operator. */
  refuse(row: RecordRow, act: RecordAct, operator: string | null): Reason | null;
  nameOf(row: RecordRow): string;
  /** Opens the empty form, or the screen's own sheet. */
  create(): void;
  /** Opens the form of a new record with what one on screen has. */
  duplicate(uuid: string): void;
  /** Opens the form of a record on screen. */
  edit(uuid: string): void;
  /** Opens the form of one of these records' own acts. */
  openAct(act: string, uuid: string): void;
  /** What a person may set. */
  readonly statuses: readonly string[];
  statusOf(row: RecordRow): string | null;
  /** Whether it is set only with a reason. */
  needsReason(status: string): boolean;
  /** Answers the record as it is then; throws the failure of the call, which has been told. */
  setStatus(row: RecordRow, status: string, reason: string): Promise<RecordRow>;
  /** What goes with the record, said before it is deleted. */
  removalText(row: RecordRow): { readonly key: MessageKey; readonly words: Words };
  /** Throws the failure of the call, which has been told. */
  remove(row: RecordRow): Promise<void>;
}

/** What a list of the house's accounts at providers does for its commands. */
export interface CreditDesk {
  /** Asks their providers now, and shows how far that is. */
  check(uuids: readonly string[]): Promise<void>;
}

/** A queue the screen in view can run. */
export interface QueueDesk {
  readonly active: boolean;
  enter(): void;
  /** Ends the run and gives back what it holds. */
  leave(): void;
  /** Ends the run by an act that lets go of the claims itself; when the act fails, its error is thrown and the run goes on. */
  endBy<T>(act: () => Promise<T>): Promise<T>;
  /** Passes over the current item: releases nothing decided, claims the next free one. */
  next(): void;
  previous(): void;
}

/** What a list of transactions to be decided does for its commands. */
export interface DecisionDesk {
  /** What the tenant has set for these transactions. */
  readonly settings: DecisionSettings;
  /** Why nothing can be done with a row another has just taken or decided; null when it can. */
  gone(uuid: string): Reason | null;
  /** The check that fails on the record shown; null when none does, or another record is shown. */
  failing(uuid: string): Reason | null;
  /** Accounts weighed for the record shown; null for another one. */
  accounts(uuid: string): readonly PayingAccount[] | null;
  /** Age as its cell shows it. */
  age(row: Pick<Transaction, "status" | "created_at" | "approved_at" | "rejected_at">): string;
  /** Opens the form of a new one; null where none is made by hand. */
  readonly create: (() => void) | null;
  /** How many the present view still holds beside these; null while unknown. */
  left(uuids: readonly string[]): number | null;
}

/** What a list whose rows others change does for its commands. */
export interface LiveDesk {
  /** Takes in what waits behind the pill; where nothing does, lists of money hold their rows still until asked again. */
  follow(): void;
}

/** What a list of transactions does with the receipts of one of them; refusals are told where the receipts are. */
export interface ReceiptDesk {
  /** Shows them, large. */
  open(uuid: string): Promise<void>;
  /** Asks for a file, and adds it. */
  add(uuid: string): Promise<void>;
  /** Asks for which one and why, and removes it. */
  remove(uuid: string): Promise<void>;
}

/** What the card of a withdrawal does for whoever pays it on a bank's page. */
export interface BankPageDesk {
  /** Copies what the page asks for next; of another record than before, what it asks for first. */
  copyNext(row: Withdrawal): Promise<void>;
  /** Compares the bank's slip with the record: what was just pasted, else what will be pasted. */
  openSlip(row: Withdrawal): void;
}

/** What the suggestions beside a bank line do for its commands. */
export interface MatchingDesk {
  /** What a match of this line would take; null where nothing fits, or another line is shown. */
  chosen(line: string): { readonly id: string; readonly transactions: readonly RecordRow[] } | null;
  /** The choice of this id is matched: where it was of the marks, they are taken off. */
  matched(id: string): void;
  /** Whether what may fit this line has been looked for. */
  knows(line: string): boolean;
  /** Chooses the next suggestion, or with -1 the one before. */
  step(by: 1 | -1): void;
}

/** What a list that takes in a bank's statement does for its commands. */
export interface ImportDesk {
  /** Opens the import, for the account of a line where one is given. */
  open(account?: { readonly uuid: string; readonly code: string }): void;
  /** Opens the text rules, the payers' accounts learned, or the accounts' balances at their banks. */
  show(sheet: StatementSheet): void;
}

/** What moves money between our accounts, and onto or off a merchant's wallet. */
export type TransferSheet = TransferKind | "cash-out";

/** What a list whose rows money can be moved from or to does for its commands. */
export interface MovingDesk {
  /** ms in which what is posted can still be taken back. */
  recallable(row: Transfer): number;
  /** Opens the form of a new one, for an account or a merchant where one is given; answers what was made, or null. */
  make(kind: TransferSheet, of?: RecordRow & { readonly code: string }): Promise<Transfer | null>;
  /** Opens the form of an account's hold; answers the account as it is then, or null. */
  hold(account: PaymentAccount): Promise<PaymentAccount | null>;
}

/** What a list whose rows can be paid together does for its commands. */
export interface PayoutDesk {
  /** Spreads these rows over the paying accounts; where all that match are marked, those. */
  compose(rows: readonly RecordRow[]): void;
}

/** What the live balances do for their commands. */
export interface BalancesDesk {
  /** Fills the screen with figures to be read across a room, or leaves them. */
  toggleWall(): void;
  /** Gathers accounts by the next of bank, type and nothing. */
  group(): void;
  /** Puts the cursor on the next account that needs attention, or says that none does. */
  next(): void;
}

/** What a list of which two records are laid side by side does for its commands. */
export interface ComparingDesk {
  compare(one: RecordRow, other: RecordRow): void;
}

/** What the audit log does for its commands. */
export interface ChainDesk {
  /** Goes through the chain to its head, and says what was found. */
  check(): void;
}

export type StatementSheet = "rules" | "payers" | "balances";

/** What a page that is one form does for its commands. */
export interface FormDesk {
  /** Names of the sections, in the order of the digits from 1. */
  readonly sections: readonly string[];
  /** Shows it, with the focus before its first field. */
  pick(section: string): void;
  /** Fields written and not saved. */
  readonly changes: number;
  /** Why nothing can be saved now. */
  refusal(): Reason | null;
  save(): Promise<void>;
  /** Asks first. */
  discard(): Promise<void>;
}

/** Up and Down, Left and Right are screen directions. */
export type BoardMotion = "left" | "right" | "up" | "down" | "first" | "last";

/** The list a figure was counted from. */
export interface Behind {
  readonly screen: ScreenName;
  readonly search: Readonly<Record<string, string>>;
  /** What that list has more than the figure. */
  readonly note?: MessageKey;
}

/** What a page of figures does for its commands. */
export interface BoardDesk {
  move(motion: BoardMotion): void;
  /** Of what the cursor is on. */
  behind(): Behind | null;
  /** Why there is no list to open now. */
  refusal(): Reason | null;
  /** Charts as tables, or drawn again. */
  toggleTables(): void;
}

/** What a new tenant's first steps do for their commands. */
export interface StepsDesk {
  /** Why there is no step to begin. */
  refusal(): Reason | null;
  /** Goes to where the next one is done. */
  begin(): void;
  /** Why the one under the cursor cannot be left out. */
  skipRefusal(): Reason | null;
  /** Leaves the one under the cursor out, or takes it back. */
  skip(): Promise<void>;
  /** Shows the dashboard until the page is loaded anew. */
  later(): void;
  /** For the whole tenant; false where it was refused. */
  putAway(): Promise<boolean>;
}
