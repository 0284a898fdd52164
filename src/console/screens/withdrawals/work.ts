import type { QueryClient } from "@tanstack/react-query";
import { isOpen } from "../../../contract/transactions.ts";
import { withdrawalRoutes } from "../../../contract/withdrawals.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { money, moneyText } from "../../../values/money.ts";
import type { Api } from "../../api/api.ts";
import { CallFailure, describeFailure } from "../../api/failure.ts";
import type { Services } from "../../kit/commands/services.ts";
import { problemText } from "../../kit/messages/problem-text.ts";
import { reasonText, text } from "../../kit/texts/texts.ts";
import { Details } from "../../lists/details.ts";
import { filterSearch } from "../../lists/filters.ts";
import { ListPanes } from "../../lists/list-panes.ts";
import { awayMs, ClaimKeeper } from "./claim-keeper.ts";
import type { DecisionDesk, ListDesk } from "../../kit/commands/desks.ts";
import { listDesk } from "../../lists/list-desk.ts";
import type { Asked } from "./filters.ts";
import { askedList, withdrawalFilters } from "./filters.ts";
import { makeDesk } from "./make-desk.ts";
import type { DeskNow } from "./make-desk.ts";
import { QueueRun } from "./queue.ts";
import { LiveList } from "../../transactions/live-list.ts";
import { withdrawalRules } from "./withdrawal-list.ts";
import type { WithdrawalList } from "./withdrawal-list.ts";

/** Details loaded ahead of the cursor in queue mode. */
const ahead = 3;
/** Rows loaded at most because all that match are marked: one act takes 200. */
const mostMarked = 500;

export interface WorkNeeds {
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly tenant: string;
  readonly currency: string | null;
  readonly me: string;
}

/** One withdrawals screen at work: its list, its panes, the queue, and what they lend the commands. */
export class Work {
  readonly list: WithdrawalList;
  readonly panes: ListPanes<Withdrawal>;
  readonly details: Details<WithdrawalDetail>;
  readonly queue: QueueRun;
  readonly claims: ClaimKeeper;
  readonly desk: DecisionDesk;
  readonly listDesk: ListDesk;
  readonly #needs: WorkNeeds;
  #drawn: DeskNow | null = null;

  constructor(needs: WorkNeeds) {
    this.#needs = needs;
    const { api, services, queries, tenant, currency, me } = needs;
    this.list = new LiveList({
      rules: withdrawalRules(me),
      read: (query, options) => api.call(withdrawalRoutes.listWithdrawals, { query }, options),
      watched: () => this.panes.grid?.cursorRow()?.uuid ?? null,
    });
    this.panes = new ListPanes({
      source: this.list.source,
      services,
      place: () => this.#now().place,
      aimOf: (row) => ({ id: row.txn_no, note: `${shownAmount(row.amount)} ${row.currency}` }),
      bring: (uuid) => this.list.goTo(uuid),
      came: (row) => this.#sayTaken(row),
      marked: (rows) => this.#marked(rows),
      hurries: () => this.queue.active,
    });
    this.details = new Details({
      queries,
      scope: [tenant, currency, "withdrawal"],
      read: (uuid, signal) =>
        api.call(withdrawalRoutes.readWithdrawal, { params: { uuid } }, { signal, background: true }).then(({ data }) => data),
    });
    this.queue = new QueueRun({
      me,
      takeNext: () => this.#takeNext(),
      release: (rows) => this.#release(rows),
      show: (taken) => this.#showTaken(taken),
      row: (uuid) => this.list.source.get(uuid),
      goTo: (uuid) => void this.panes.grid?.scrollToId(uuid),
      openView: () => {
        this.#drawn?.place.set({ ...filterSearch(withdrawalFilters, {}), view: "queue", sort: null }, true);
        this.panes.grid?.focus();
      },
      left: (count) => services.say("withdrawal.said.queue-left", { count }),
      ended: ({ sum, ...counts }) => services.say("withdrawal.said.queue-ended", { ...counts, sum: shownAmount(sum) }, "done"),
    });
    this.claims = new ClaimKeeper({
      me,
      now: () => performance.now(),
      rows: () => this.list.source.rows,
      renew: async (uuids) =>
        (await api.call(withdrawalRoutes.renewWithdrawalClaims, { body: { uuids: [...uuids] } }, { background: true })).data,
      read: async (uuids) => {
        const query = { view: "all", "filter[uuid]": uuids.join(","), limit: uuids.length } as const;
        return (await api.call(withdrawalRoutes.listWithdrawals, { query }, { background: true })).data;
      },
      patch: (row) => this.list.source.patch(row.uuid, row),
      letGo: (count) =>
        services.toast("withdrawal.claims.let-go", "withdrawal.claims.let-go-text", { count, minutes: awayMs / 60_000 }, "warn"),
      taken: (row) => {
        const words = { id: `…${row.txn_no.slice(-6)}`, name: row.claim?.name ?? "" };
        services.toast("withdrawal.claims.taken", "withdrawal.claims.taken-text", words, "warn");
        this.queue.lost(row.uuid);
      },
    });
    this.queue.subscribe(() => this.panes.publish({ queue: this.queue }));
    this.listDesk = listDesk({
      screen: "withdrawals",
      view: withdrawalRoutes.listWithdrawals.permission,
      filters: withdrawalFilters,
      services,
      panes: this.panes,
      now: () => this.#now(),
    });
    this.desk = makeDesk({ now: () => this.#now(), list: this.list, me, time: () => api.time.now(), services });
  }

  #now(): DeskNow {
    if (this.#drawn === null) throw new Error("the screen is not drawn yet");
    return this.#drawn;
  }

  /** The screen as it has just been drawn. */
  draw(drawn: DeskNow): void {
    this.#drawn = drawn;
  }

  ask(asked: Asked, zone: number): void {
    void this.list.load(() => askedList(asked, this.#needs.api.time.now(), zone));
  }

  // ── told by the panes ──

  #sayTaken(row: Withdrawal): void {
    if (!this.list.source.isTombstone(row.uuid)) return;
    const why = reasonText(text, this.desk.gone(row.uuid) ?? "withdrawal.refuse.gone");
    this.#needs.services.say("withdrawal.said.taken", { id: `…${row.txn_no.slice(-6)}`, why }, "warn");
  }

  #marked(rows: readonly Withdrawal[]) {
    // where all that match are marked, those not loaded yet come in and are marked too, as many as acts could want
    const { source } = this.list;
    const all = this.panes.grid?.marksEverything() ?? null;
    if (all !== null && source.more && source.loading === "idle" && source.length < mostMarked) void this.list.more();
    return { note: sumText(rows), figures: figuresOf(rows) };
  }

  // ── changes and details ──

  took(rows: readonly { readonly uuid: string }[]): void {
    this.list.took(rows);
    this.queue.took(rows.filter((row): row is Withdrawal => "txn_no" in row));
  }

  lookAhead({ row }: WithdrawalDetail): void {
    const known = this.list.source.get(row.uuid);
    if (known && row.version > known.version) this.list.take([row]);
    const from = this.list.source.indexOf(row.uuid);
    const busy = this.queue.active;
    const following = this.list.source.rows.slice(from + 1, from + 40).filter((next) => isOpen(next) && (!busy || next.claim === null));
    for (const next of following.slice(0, busy ? ahead : 1)) this.details.ahead(next);
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
      else if (failure.kind !== "aborted")
        services.say("withdrawal.said.take-failed", { why: describeFailure(failure, { text, problem: problemText }).text }, "fail");
      return "refused";
    }
  }

  async #release(rows: readonly Withdrawal[]): Promise<void> {
    const body = { rows: rows.map(({ uuid, version }) => ({ uuid, version })) };
    const { data } = await this.#needs.api.call(withdrawalRoutes.releaseWithdrawals, { body });
    this.list.took(data.outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })));
  }

  #showTaken(taken: WithdrawalDetail): void {
    this.details.put(taken);
    this.list.want(taken.row);
    this.panes.grid?.scrollToId(taken.row.uuid);
  }
}

/** Named numbers of a refusal. */
function figuresIn(data: unknown): Record<string, number> {
  if (typeof data !== "object" || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

const sumOf = (rows: readonly Withdrawal[]): bigint => rows.reduce((sum, row) => sum + money(row.amount), 0n);

const sumText = (rows: readonly Withdrawal[]): string => `${shownAmount(moneyText(sumOf(rows)))} ${rows[0]?.currency ?? ""}`;

/** Sum, largest and mean of the marked amounts, as the status bar shows them. */
function figuresOf(rows: readonly Withdrawal[]): readonly string[] {
  if (rows.length === 0) return [];
  const sum = sumOf(rows);
  const largest = rows.reduce((most, row) => (money(row.amount) > most ? money(row.amount) : most), 0n);
  const shown = (amount: bigint) => shownAmount(moneyText(amount));
  return [
    `Σ ${shown(sum)}`,
    text("transaction.figure.max", { amount: shown(largest) }),
    text("transaction.figure.mean", { amount: shown(sum / BigInt(rows.length)) }),
  ];
}
