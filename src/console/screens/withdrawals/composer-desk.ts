import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { PayoutPlan, PayoutRow } from "../../../contract/payouts.ts";
import type { WorkAct } from "../../kit/commands/context.ts";
import type { GridHandle, Motion } from "../../kit/commands/grid-handle.ts";
import type { Services } from "../../kit/commands/services.ts";
import { shownAmount, shownAmounts } from "../../kit/look/amounts.ts";
import { accountKeys } from "./composer-plan.ts";
import { payoutsAt } from "./composer-rows.ts";
import type { ComposerRow } from "./composer-rows.ts";
import { accountName, whyWords } from "./composer-words.ts";
import type { Wording } from "./composer-words.ts";
import type { ComposerWork } from "./composer-work.ts";

/** Where the operator is. */
interface DeskState {
  /** Which side the keys act on. */
  readonly side: "rows" | "accounts";
  /** Of the accounts, the one the keys act on. */
  readonly aimed: string | null;
  readonly cursor: ComposerRow | null;
}

type Acts = Partial<Record<WorkAct | `choose-${string}`, () => void>>;

export interface ComposerDesk {
  readonly store: StoreApi<DeskState>;
  readonly acts: Acts;
  /** While payouts go, and afterwards, the list can only be read. */
  readonly motions: Acts;
  setGrid(grid: GridHandle<ComposerRow> | null): void;
  setAccounts(element: HTMLElement | null): void;
}

interface DeskDeps {
  readonly work: ComposerWork;
  readonly services: Services;
  readonly wording: Wording;
}

const shortId = (row: PayoutRow): string => `…${row.txn_no.slice(-6)}`;

/** What the composer's keys do. */
export function composerDesk({ work, services, wording }: DeskDeps): ComposerDesk {
  const store = createStore<DeskState>(() => ({ side: "rows", aimed: null, cursor: null }));
  let grid: GridHandle<ComposerRow> | null = null;
  let accountList: HTMLElement | null = null;
  const state = work.store.getState;
  const aimed = (): string | null => store.getState().aimed ?? state().order[0] ?? null;
  const aim = (account: string): void => store.setState({ aimed: account });
  const rowsHere = (): readonly PayoutRow[] => payoutsAt(state(), grid?.cursorRow() ?? null);

  const nameOf = (rows: readonly PayoutRow[]): string => {
    const [first, ...others] = rows;
    return first !== undefined && others.length === 0 ? shortId(first) : services.text("payout.count", { count: rows.length });
  };

  /** What the server made of a move: the rows it was asked for may not fit there. */
  const told = (rows: readonly PayoutRow[], account: string) => (plan: PayoutPlan) => {
    const moved = plan.rows.filter(({ uuid }) => rows.some((row) => row.uuid === uuid));
    const refused = moved.find((row) => row.account !== account);
    const name = accountName(state(), account);
    if (refused !== undefined) {
      const why = whyWords(state(), refused, wording);
      services.say("payout.said.not-there", { account: name, what: shortId(refused), why }, "warn");
    } else if (moved.length > 0) services.say("payout.said.moved", { account: name, what: nameOf(moved) });
  };

  function pin(account: string): void {
    const rows = rowsHere();
    if (state().stage !== "planning") return services.say("payout.why-not.running", {}, "warn");
    if (rows.length === 0) return services.say("refuse.no-row", {}, "warn");
    if (state().adjusted.withoutAccounts.has(account))
      return services.say("payout.said.account-out", { account: accountName(state(), account) }, "warn");
    work.pin(rows, account, told(rows, account));
  }

  const choose = (at: number) => (): void => {
    const account = state().order[at];
    if (account === undefined) return services.say("payout.said.no-account", {}, "warn");
    if (store.getState().side === "accounts") aim(account);
    else pin(account);
  };

  async function chooseOther(): Promise<void> {
    const { plan, order } = state();
    if (plan === null || rowsHere().length === 0) return;
    const accounts = order.flatMap((uuid) => plan.accounts.find((account) => account.uuid === uuid) ?? []);
    const account = await services.ask("choice", {
      title: "payout.ask.account",
      words: { what: nameOf(rowsHere()) },
      money: true,
      options: accounts.map(({ uuid, code, bank, holder, unfit, left_out, payable_after }) => ({
        id: uuid,
        label: `${code} ${bank} ${holder}`,
        note: services.text("withdrawal.ask.after", { amount: shownAmount(payable_after) }),
        refused: left_out
          ? services.text("payout.account.left-out")
          : unfit === null
            ? null
            : services.text(`unfit.${unfit.code}`, shownAmounts(unfit.values)),
      })),
    });
    if (account !== null) pin(account);
  }

  const move = (motion: Motion, by: number) => (): void => {
    if (store.getState().side === "rows") return grid?.move(motion);
    const { order } = state();
    const at = Math.min(Math.max(order.indexOf(aimed() ?? "") + by, 0), order.length - 1);
    const account = order[at];
    if (account !== undefined) aim(account);
  };
  const page = 8;

  function leaveOut(): void {
    const line = grid?.cursorRow() ?? null;
    const account = aimed();
    if (store.getState().side === "accounts") return account === null ? undefined : work.toggleAccount(account);
    if (line?.kind === "account") return work.toggleAccount(line.account.uuid);
    if (line?.kind === "payout") work.toggleRow(line.uuid);
  }

  function togglePin(): void {
    const rows = rowsHere();
    const { pins } = state().adjusted;
    if (rows.length > 0 && rows.every(({ uuid }) => pins.has(uuid))) return work.unpin(rows);
    const [first] = rows;
    if (first?.account == null) return services.say("payout.said.nothing-to-pin", {}, "warn");
    work.pin(rows, first.account);
  }

  function turn(): void {
    const first = aimed();
    if (store.getState().side === "accounts") return grid?.focus();
    if (first !== null) aim(first);
    accountList?.focus();
  }

  const motions: Acts = {
    down: move("next-row", 1),
    up: move("previous-row", -1),
    "page-down": move("next-page", page),
    "page-up": move("previous-page", -page),
    first: move("first-row", -Infinity),
    last: move("last-row", Infinity),
    "other-side": turn,
  };
  const acts: Acts = {
    ...motions,
    ...Object.fromEntries(accountKeys.map((key, at) => [`choose-${key}`, choose(at)])),
    "leave-out": leaveOut,
    pin: togglePin,
    "choose-other": () => void chooseOther(),
    prefer: () => work.prefer(state().adjusted.prefer === "number" ? "sum" : "number"),
    recompute: () => void work.plan(true),
    "take-back": () => void (work.undo() || services.say("undo.nothing")),
  };

  return {
    store,
    acts,
    motions,
    setGrid(handle) {
      grid = handle;
    },
    setAccounts(element) {
      accountList = element;
    },
  };
}
