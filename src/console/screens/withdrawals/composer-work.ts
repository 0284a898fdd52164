import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Outcome } from "../../../contract/decisions.ts";
import { payoutRoutes as routes } from "../../../contract/payouts.ts";
import type { PayoutPlan, PayoutRow } from "../../../contract/payouts.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import { newUuid } from "../../../values/uuid.ts";
import type { Call } from "../../api/call.ts";
import { refusalOf } from "../../api/refusal.ts";
import type { Reason } from "../../kit/commands/command.ts";
import {
  accountOrder,
  accountToggled,
  asksFor,
  isAdjusted,
  paidAs,
  pinned,
  rowToggled,
  slicesOf,
  unadjusted,
  unpinned,
} from "./composer-plan.ts";
import type { Adjustments, Asked, Paid } from "./composer-plan.ts";

/** planning: to be adjusted and confirmed · asking: a confirmation is open · running: slices go · over: each has its outcome. */
export type Stage = "planning" | "asking" | "running" | "over";

export interface ComposerState {
  readonly stage: Stage;
  /** null before the first has come. */
  readonly plan: PayoutPlan | null;
  /** A plan is being computed. */
  readonly busy: boolean;
  /** Why the last plan did not come, in the operator's language. */
  readonly failure: string | null;
  readonly adjusted: Adjustments;
  /** Adjustments before each of the changes, the last one at the end. */
  readonly before: readonly Adjustments[];
  /** Accounts in the order of their keys. */
  readonly order: readonly string[];
  readonly paid: ReadonlyMap<string, Paid>;
  /** No further slice is sent. */
  readonly stopping: boolean;
}

interface ComposerDeps {
  readonly call: Call;
  /** Asks for the confirmation that the tiers want. */
  confirmed(plan: PayoutPlan): Promise<boolean>;
  /** The outcomes of a slice. */
  settled(outcomes: readonly Outcome<Withdrawal>[]): void;
  /** All slices have been answered. */
  ended(state: ComposerState): void;
}

/** Called with the plan that an adjustment led to. */
type Then = (plan: PayoutPlan) => void;

export interface ComposerWork {
  readonly store: StoreApi<ComposerState>;
  /** Computes the plan: with `afresh` for the withdrawals as they are now. */
  plan(afresh?: boolean): Promise<void>;
  pin(rows: readonly PayoutRow[], account: string, then?: Then): void;
  unpin(rows: readonly PayoutRow[]): void;
  toggleRow(uuid: string): void;
  toggleAccount(uuid: string): void;
  prefer(what: Adjustments["prefer"]): void;
  /** Takes the last adjustment back; false: there is none. */
  undo(): boolean;
  /** Others have changed these withdrawals. */
  heard(uuids: readonly string[] | null): void;
  /** Why nothing can be confirmed; null: it can. */
  refusal(): Reason | null;
  /** Sends the plan once it is confirmed; what got no answer is sent again. */
  confirm(): Promise<void>;
  stop(): void;
  close(): void;
}

/** One request of a confirmed plan: the same key as long as it has no answer. */
interface Slice {
  readonly key: string;
  readonly rows: readonly PayoutRow[];
}

/** A selection on its way to be paid: the plan, what was set by hand, and the outcomes. */
export function createComposer({ call, confirmed, settled, ended }: ComposerDeps, selection: Asked): ComposerWork {
  let asked = selection;
  let planning: AbortController | null = null;
  /** The plan that was confirmed, and what of it has no answer yet. */
  let sent: PayoutPlan | null = null;
  let open: readonly Slice[] = [];
  const store = createStore<ComposerState>(() => ({
    stage: "planning",
    plan: null,
    busy: false,
    failure: null,
    adjusted: unadjusted,
    before: [],
    order: [],
    paid: new Map(),
    stopping: false,
  }));
  const now = store.getState;

  async function plan(afresh = false, then?: Then): Promise<void> {
    if (now().stage !== "planning") return;
    if (afresh && now().plan !== null) asked = frozen(now().plan?.rows ?? []);
    planning?.abort();
    const mine = new AbortController();
    planning = mine;
    store.setState({ busy: true, failure: null });
    try {
      const body = asksFor(asked, now().adjusted);
      const { data } = await call(routes.planPayouts, { body }, { quiet: true, signal: mine.signal });
      if (planning !== mine) return;
      // the withdrawals are those of the first plan from now on, whatever comes to match
      if (asked.rows === undefined && data.rows.length > 0) asked = frozen(data.rows);
      store.setState({ plan: data, busy: false, order: accountOrder(now().order, data.accounts) });
      then?.(data);
    } catch (error) {
      if (planning === mine) store.setState({ busy: false, failure: refusalOf(error).words });
    }
  }

  function adjust(change: (before: Adjustments) => Adjustments, then?: Then): void {
    const { stage, adjusted, before } = now();
    if (stage !== "planning") return;
    store.setState({ adjusted: change(adjusted), before: [...before, adjusted] });
    void plan(false, then);
  }

  const note = (rows: readonly PayoutRow[], as: (row: PayoutRow) => Paid): void => {
    const paid = new Map(now().paid);
    for (const row of rows) paid.set(row.uuid, as(row));
    store.setState({ paid });
  };

  async function sendSlice({ key, rows }: Slice, whole: PayoutPlan): Promise<boolean> {
    note(rows, () => ({ as: "sending" }));
    const body = {
      payout: whole.rows.flatMap(({ uuid, account }) => (account === null ? [] : [uuid])),
      ...(whole.tier > 1 && { confirmed: whole.placed.amount }),
      rows: rows.flatMap(({ uuid, version, account, tier, amount, holder }) =>
        account === null ? [] : [{ uuid, version, payment_account: account, ...(tier > 1 && { confirmed: { amount, holder } }) }],
      ),
    };
    try {
      const { outcomes } = (await call(routes.approvePayouts, { body }, { quiet: true, idempotencyKey: key })).data;
      const found = new Map(outcomes.map((outcome) => [outcome.uuid, outcome]));
      note(rows, ({ uuid }) => {
        const outcome = found.get(uuid);
        return outcome === undefined ? { as: "stopped" } : paidAs(outcome);
      });
      settled(outcomes);
      return true;
    } catch (error) {
      const { judged, words } = refusalOf(error);
      note(rows, () => (judged ? { as: "failed", code: "", message: words } : { as: "unanswered" }));
      return judged;
    }
  }

  async function run(): Promise<void> {
    if (sent === null) return;
    store.setState({ stage: "running", stopping: false });
    const unanswered: Slice[] = [];
    for (const slice of open) {
      if (now().stopping) note(slice.rows, () => ({ as: "stopped" }));
      // oxlint-disable-next-line no-await-in-loop -- one at a time, so that stopping leaves the rest unsent
      else if (!(await sendSlice(slice, sent))) unanswered.push(slice);
    }
    open = unanswered;
    store.setState({ stage: "over" });
    ended(now());
  }

  function refusal(): Reason | null {
    const { stage, plan: shown, busy, failure } = now();
    if (stage === "over") return open.length > 0 ? null : "payout.why-not.over";
    if (stage !== "planning") return "payout.why-not.running";
    if (busy || (shown === null && failure === null)) return "payout.why-not.computing";
    if (shown === null || failure !== null) return "payout.why-not.no-plan";
    return shown.placed.count === 0 ? "payout.why-not.nothing" : null;
  }

  return {
    store,
    plan,
    refusal,
    pin: (rows, account, then) => adjust((before) => pinned(before, rows, account), then),
    unpin: (rows) => adjust((before) => unpinned(before, rows)),
    toggleRow: (uuid) => adjust((before) => rowToggled(before, uuid)),
    toggleAccount: (uuid) => adjust((before) => accountToggled(before, uuid)),
    prefer: (what) => adjust((before) => ({ ...before, prefer: what })),
    undo() {
      const { stage, before } = now();
      const last = before.at(-1);
      if (stage !== "planning" || last === undefined) return false;
      store.setState({ adjusted: last, before: before.slice(0, -1) });
      void plan();
      return true;
    },
    heard(uuids) {
      const { stage, plan: shown } = now();
      if (stage !== "planning" || shown === null) return;
      const here = new Set(shown.rows.map(({ uuid }) => uuid));
      if (uuids === null || uuids.some((uuid) => here.has(uuid))) void plan();
    },
    async confirm() {
      const { plan: shown, stage } = now();
      if (refusal() !== null) return;
      if (stage === "over") return run();
      if (shown === null) return;
      store.setState({ stage: "asking" });
      if (!(await confirmed(shown))) return store.setState({ stage: "planning" });
      sent = shown;
      open = slicesOf(shown).map((rows) => ({ key: newUuid(), rows }));
      await run();
    },
    stop: () => store.setState({ stopping: true }),
    close() {
      planning?.abort();
      planning = null;
    },
  };
}

const frozen = (rows: readonly PayoutRow[]): Asked => ({ rows: rows.map(({ uuid, version }) => ({ uuid, version })) });

/** Whether leaving would lose something that was set by hand. */
export const losesWork = ({ stage, adjusted }: ComposerState): boolean => stage !== "over" && isAdjusted(adjusted);
