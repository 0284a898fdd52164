import type { QueryClient } from "@tanstack/react-query";
import { isOpen } from "../../../contract/transactions.ts";
import { withdrawalRoutes } from "../../../contract/withdrawals.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import { formatAmount, money, moneyText } from "../../../values/money.ts";
import type { Api } from "../../api/api.ts";
import { CallFailure } from "../../api/failure.ts";
import type { PaneState, ShownDetail } from "../../kit/context.ts";
import type { GridHandle } from "../../kit/grid/grid-handle.ts";
import type { Services } from "../../kit/services.ts";
import { reasonText, text } from "../../kit/texts.ts";
import type { PanePublisher } from "../../kit/use-pane.ts";
import type { WithdrawalDesk } from "./desk.ts";
import { filterSearch, makeDesk } from "./make-desk.ts";
import type { DeskNow } from "./make-desk.ts";
import { QueueRun } from "./queue.ts";
import { WithdrawalList } from "./withdrawal-list.ts";

/** ms between two moves of the cursor that count as travelling: the detail waits until it rests. */
const travel = 120;
/** ms a cursor rests before the address names its record. */
const settle = 600;
/** Details loaded ahead of the cursor in queue mode (keyboard.md 3). */
const ahead = 3;
/** Rows loaded at most because all that match are marked: one act takes 200 (domain.md 4). */
const mostMarked = 500;
/** ms a detail counts as fresh: its headroom figures move without its version. */
const fresh = 15_000;

export const noRows: readonly Withdrawal[] = [];
export const gridScopes: PaneState["scopes"] = ["pane", "grid"];
const headerScopes: PaneState["scopes"] = ["pane", "grid", "header"];

export interface WorkNeeds {
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly tenant: string;
  readonly currency: string | null;
  readonly me: string;
}

/** What React draws and the work steers. */
export interface Drawn {
  readonly now: DeskNow;
  /** The record the detail pane is to show. */
  show(row: Withdrawal | null): void;
  showMarks(count: number): void;
  showHistory(): void;
}

/**
 * One withdrawals screen at work: list, queue, desk and the panes' state, told by the grid and telling the commands.
 * Moving the cursor goes through here and renders nothing but the detail it comes to rest on.
 */
export class Work {
  readonly list: WithdrawalList;
  readonly queue: QueueRun;
  readonly desk: WithdrawalDesk;
  readonly #needs: WorkNeeds;
  #drawn: Drawn | null = null;
  #panes: { list: PanePublisher; detail: PanePublisher } | null = null;
  #grid: GridHandle<Withdrawal> | null = null;
  #find: HTMLInputElement | null = null;
  #movedAt = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #addressing: ReturnType<typeof setTimeout> | undefined;
  /** The record the address was last given from here. */
  #written: string | null = null;

  constructor(needs: WorkNeeds) {
    this.#needs = needs;
    const { api, services, me } = needs;
    this.list = new WithdrawalList({
      me,
      read: (query, options) => api.call(withdrawalRoutes.listWithdrawals, { query }, options),
      watched: () => this.#grid?.cursorRow()?.uuid ?? null,
    });
    this.queue = new QueueRun({
      me,
      takeNext: () => this.#takeNext(),
      release: (rows) => this.#release(rows),
      show: (taken) => this.#showTaken(taken),
      row: (uuid) => this.list.source.get(uuid),
      goTo: (uuid) => void this.#grid?.scrollToId(uuid),
      openView: () => {
        this.#drawn?.now.place.set({ ...filterSearch({}), view: "queue", sort: null, record: null }, true);
        this.#grid?.focus();
      },
      left: (count) => services.say("withdrawal.said.queue-left", { count }),
      ended: ({ sum, ...counts }) => services.say("withdrawal.said.queue-ended", { ...counts, sum: formatAmount(sum) }, "done"),
    });
    this.desk = makeDesk({
      now: () => this.#now(),
      list: this.list,
      me,
      grid: () => this.#grid,
      time: () => api.time.now(),
      services,
      findField: () => this.#find,
      showHistory: () => this.#drawn?.showHistory(),
    });
  }

  #now(): DeskNow {
    if (this.#drawn === null) throw new Error("the screen is not drawn yet");
    return this.#drawn.now;
  }

  /** The screen as it has just been drawn. */
  draw(drawn: Drawn): void {
    this.#drawn = drawn;
  }

  /** The panes the screen speaks through; returns what ends it. */
  open(list: PanePublisher, detail: PanePublisher): () => void {
    this.#panes = { list, detail };
    this.#publish({ grid: this.#grid, queue: this.queue });
    this.#grid?.focus();
    const unlisten = this.list.source.subscribe(({ kind }) => {
      if (kind === "patch" && (this.#grid?.markedRows().length ?? 0) > 0) this.tellMarks();
      else if (kind === "splice" || kind === "status") this.#publish(this.#place());
    });
    const unqueue = this.queue.subscribe(() => this.#publish({ queue: this.queue }));
    return () => {
      unlisten();
      unqueue();
      clearTimeout(this.#resting);
      clearTimeout(this.#addressing);
      this.#panes = null;
    };
  }

  setGrid = (grid: GridHandle<Withdrawal> | null): void => {
    this.#grid = grid;
  };
  setFind = (field: HTMLInputElement | null): void => {
    this.#find = field;
  };

  #publish(change: Partial<Omit<PaneState, "id" | "scopes">>): void {
    this.#panes?.list.publish(change);
    this.#panes?.detail.publish(change);
  }

  // ── told by the grid ──

  onCursor = (row: Withdrawal | null): void => {
    const marks = (this.#grid?.markedRows().length ?? 0) > 0;
    this.#publish({ cursor: row, ...(!marks && { aim: aimOf(row) }), ...this.#place() });
    if (row !== null && this.list.source.isTombstone(row.uuid)) this.#sayTaken(row);
    const at = performance.now();
    const since = at - this.#movedAt;
    this.#movedAt = at;
    clearTimeout(this.#resting);
    if (since < travel && !this.queue.active) this.#resting = setTimeout(() => this.#drawn?.show(row), travel);
    else this.#drawn?.show(row);
    clearTimeout(this.#addressing);
    this.#addressing = setTimeout(() => this.#address(row?.uuid ?? null), settle);
  };

  onHeader = (inHeader: boolean): void => this.#panes?.list.publish({ scopes: inHeader ? headerScopes : gridScopes });

  tellMarks = (): void => {
    const rows = this.#grid?.markedRows() ?? [];
    this.#loadEverything();
    this.#drawn?.showMarks(rows.length);
    const aim = rows.length > 0 ? { id: null, note: sumText(rows) } : aimOf(this.#grid?.cursorRow() ?? null);
    this.#publish({ marked: rows, figures: figuresOf(rows), aim });
  };

  /** Where all that match are marked, those not loaded yet come in and are marked too, as many as acts could want. */
  #loadEverything(): void {
    const { source } = this.list;
    if (this.#grid?.marksEverything() && source.more && source.loading === "idle" && source.length < mostMarked) void this.list.more();
  }

  onShown = (detail: ShownDetail | null): void => this.#publish({ detail });

  #sayTaken(row: Withdrawal): void {
    const why = reasonText(text, this.desk.gone(row.uuid) ?? "withdrawal.refuse.gone");
    this.#needs.services.say("withdrawal.said.taken", { id: `…${row.txn_no.slice(-6)}`, why }, "warn");
  }

  #place(): Pick<PaneState, "place"> {
    const index = this.#grid?.cursorIndex() ?? -1;
    return { place: index < 0 || this.list.source.length === 0 ? null : { row: index + 1, of: this.list.source.total } };
  }

  #address(record: string | null): void {
    const { place } = this.#now();
    if (place.get("record") === record) return;
    this.#written = record;
    place.set({ record });
  }

  /** A record the address names, by a link or the palette: the cursor goes there once it is loaded. */
  goToAddressed(record: string): void {
    if (record === this.#written) return;
    this.#written = record;
    this.#grid?.scrollToId(record);
  }

  // ── changes ──

  took(rows: readonly { readonly uuid: string }[]): void {
    this.list.took(rows);
    this.queue.took(rows.filter((row): row is Withdrawal => "txn_no" in row));
  }

  // ── details ──

  /** The read of a record's detail, kept by version: a row that changed is read anew. */
  detailOf({ uuid, version }: { readonly uuid: string; readonly version: number }) {
    const { api, tenant, currency } = this.#needs;
    return {
      queryKey: [tenant, currency, "withdrawal", uuid, version] as const,
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<WithdrawalDetail> =>
        api.call(withdrawalRoutes.readWithdrawal, { params: { uuid } }, { signal, background: true }).then(({ data }) => data),
      staleTime: fresh,
    };
  }

  /** Loads what the operator will look at next, and takes over what the detail knows of the row. */
  lookAhead(detail: WithdrawalDetail): void {
    const { row } = detail;
    const known = this.list.source.get(row.uuid);
    if (known && row.version > known.version) this.list.take([row]);
    const from = this.list.source.indexOf(row.uuid);
    const busy = this.queue.active;
    const following = this.list.source.rows.slice(from + 1, from + 40).filter((next) => isOpen(next) && (!busy || next.claim === null));
    for (const next of following.slice(0, busy ? ahead : 1)) void this.#needs.queries.prefetchQuery(this.detailOf(next));
  }

  // ── queue ──

  async #takeNext(): Promise<WithdrawalDetail | "none" | "refused"> {
    const { api, services } = this.#needs;
    try {
      return (await api.call(withdrawalRoutes.takeNextWithdrawal, { body: {} }, { quiet: true })).data;
    } catch (error) {
      const failure = error instanceof CallFailure ? error : new CallFailure("unexpected", { message: String(error) });
      if (failure.code === "withdrawal.none-free") return "none";
      if (failure.code === "withdrawal.claim-limit") services.say("withdrawal.said.claim-limit", figuresIn(failure.data), "warn");
      else if (failure.kind !== "aborted") services.say("withdrawal.said.take-failed", { why: failure.said || failure.kind }, "fail");
      return "refused";
    }
  }

  async #release(rows: readonly Withdrawal[]): Promise<void> {
    const body = { rows: rows.map(({ uuid, version }) => ({ uuid, version })) };
    const { data } = await this.#needs.api.call(withdrawalRoutes.releaseWithdrawals, { body });
    this.list.took(data.outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })));
  }

  #showTaken(taken: WithdrawalDetail): void {
    this.#needs.queries.setQueryData(this.detailOf(taken.row).queryKey, taken);
    this.list.want(taken.row);
    this.#grid?.scrollToId(taken.row.uuid);
  }
}

/** Named numbers of a refusal. */
function figuresIn(data: unknown): Record<string, number> {
  if (typeof data !== "object" || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

const aimOf = (row: Withdrawal | null) => (row === null ? null : { id: row.txn_no, note: `${formatAmount(row.amount)} ${row.currency}` });

const sumOf = (rows: readonly Withdrawal[]): bigint => rows.reduce((sum, row) => sum + money(row.amount), 0n);

const sumText = (rows: readonly Withdrawal[]): string => `${formatAmount(moneyText(sumOf(rows)))} ${rows[0]?.currency ?? ""}`;

/** Sum, largest and mean of the marked amounts, as the status bar shows them. */
function figuresOf(rows: readonly Withdrawal[]): readonly string[] {
  if (rows.length === 0) return [];
  const sum = sumOf(rows);
  const largest = rows.reduce((most, row) => (money(row.amount) > most ? money(row.amount) : most), 0n);
  const shown = (amount: bigint) => formatAmount(moneyText(amount));
  return [
    `Σ ${shown(sum)}`,
    text("withdrawal.figure.max", { amount: shown(largest) }),
    text("withdrawal.figure.mean", { amount: shown(sum / BigInt(rows.length)) }),
  ];
}
