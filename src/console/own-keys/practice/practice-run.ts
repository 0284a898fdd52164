import { createStore } from "zustand/vanilla";
import { RowSource } from "../../kit/grid/row-source.ts";
import type { Result } from "./best-result.ts";
import { fakeWithdrawals, leastPresses } from "./fake-withdrawals.ts";
import type { FakeWithdrawal, Right } from "./fake-withdrawals.ts";
import type { TenantRules } from "./tenant-rules.ts";

interface Mistake {
  readonly uuid: string;
  readonly txnNo: string;
  readonly right: Right;
}

interface RunState {
  readonly current: FakeWithdrawal | null;
  readonly decided: number;
  readonly presses: number;
  readonly mistakes: readonly Mistake[];
  /** performance.now() of the first press; null before it. */
  readonly startedAt: number | null;
  /** performance.now() of the last decision. */
  readonly endedAt: number | null;
}

type Decision = { readonly act: "approve" } | { readonly act: "reject"; readonly reason: string };

/** One run of the practice queue; it sends nothing. */
export class PracticeRun {
  readonly source = new RowSource<FakeWithdrawal>();
  readonly total: number;
  readonly rules: TenantRules;
  readonly #least: number;
  readonly #now: () => number;
  readonly #store = createStore<RunState>()(() => ({
    current: null,
    decided: 0,
    presses: 0,
    mistakes: [],
    startedAt: null,
    endedAt: null,
  }));
  /** performance.now() when the current record was shown. */
  #shownAt = 0;

  constructor(rules: TenantRules, now: () => number = () => performance.now()) {
    this.rules = rules;
    const rows = fakeWithdrawals();
    this.#now = now;
    this.total = rows.length;
    this.#least = rows.reduce((sum, row) => sum + leastPresses(row, rules), 0);
    this.source.setPage(rows);
    this.look(rows[0] ?? null);
  }

  getState = (): RunState => this.#store.getState();
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  shownAt(): number {
    return this.#shownAt;
  }

  /** The cursor moved to a row, or its row changed. */
  look(row: FakeWithdrawal | null): void {
    const before = this.getState().current;
    if (row === before) return;
    if (row?.uuid !== before?.uuid) this.#shownAt = this.#now();
    this.#store.setState({ current: row });
  }

  /** A key was pressed; repeats of a held key do not count. */
  pressed(): void {
    const { startedAt, endedAt, presses } = this.getState();
    if (endedAt === null) this.#store.setState({ presses: presses + 1, startedAt: startedAt ?? this.#now() });
  }

  claim(): void {
    const { current } = this.getState();
    if (current !== null) this.#patch({ ...current, claimed: true });
  }

  #isRight({ right }: FakeWithdrawal, decision: Decision): boolean {
    if (decision.act === "approve") return right === "approve";
    if (right === "approve" || right === "wait") return false;
    // a tenant without this reason accepts any
    return decision.reason === right || this.rules.reasons.every(({ code }) => code !== right);
  }

  /** Decides the current row and goes to the next; returns the function that undoes it. */
  decide(decision: Decision): () => void {
    const { current } = this.getState();
    if (current === null || current.status !== "process") return () => undefined;
    const mistake: Mistake = { uuid: current.uuid, txnNo: current.txn_no, right: current.right };
    const { startedAt, decided, mistakes } = this.getState();
    this.#patch({ ...current, claimed: true, status: decision.act === "approve" ? "approved" : "rejected" });
    this.#store.setState({
      decided: decided + 1,
      mistakes: this.#isRight(current, decision) ? mistakes : [...mistakes, mistake],
      startedAt: startedAt ?? this.#now(),
      endedAt: decided + 1 === this.total ? this.#now() : null,
    });
    this.look(this.following(1) ?? this.source.get(current.uuid) ?? null);
    return () => {
      this.source.patch(current.uuid, current);
      this.#store.setState((state) => ({
        decided: state.decided - 1,
        endedAt: null,
        mistakes: state.mistakes.filter(({ uuid }) => uuid !== current.uuid),
      }));
      this.look(current);
    };
  }

  /** Defers the current row to the end of the queue, where its missing check has arrived. */
  defer(): void {
    const { current } = this.getState();
    if (current === null || current.status !== "process") return;
    const next = this.following(1);
    const back: FakeWithdrawal = current.right === "wait" ? { ...current, right: "approve" } : current;
    this.source.remove(current.uuid);
    this.source.append([back]);
    this.look(next ?? back);
  }

  /** The next undecided row from the current one, wrapping at the ends; null when there is no other. */
  following(by: 1 | -1): FakeWithdrawal | null {
    const { rows } = this.source;
    const from = this.source.indexOf(this.getState().current?.uuid ?? "");
    for (let step = 1; step < rows.length; step++) {
      const row = rows[(from + by * step + rows.length * step) % rows.length];
      if (row?.status === "process") return row;
    }
    return null;
  }

  result(): Result {
    const { decided, presses, mistakes, startedAt, endedAt } = this.getState();
    const until = endedAt ?? this.#now();
    return {
      decided,
      seconds: startedAt === null ? 0 : Math.round((until - startedAt) / 1000),
      over: Math.max(0, presses - this.#least),
      wrong: mistakes.length,
    };
  }

  #patch(row: FakeWithdrawal): void {
    this.source.patch(row.uuid, row);
    if (this.getState().current?.uuid === row.uuid) this.#store.setState({ current: row });
  }
}
