import { groupedNumber } from "../../kit/look/account-number.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import type { AnyCommand, Chord, Reason } from "../../kit/commands/command.ts";
import type { Context } from "../../kit/commands/context.ts";
import type { MessageKey } from "../../kit/texts/messages.ts";
import { reasonPresets } from "../../kit/sheets/reason-presets.ts";
import type { Registry } from "../../kit/commands/registry.ts";
import type { Services } from "../../kit/commands/services.ts";
import { isConfirmed } from "./fake-withdrawals.ts";
import type { PracticeRun } from "./practice-run.ts";

/** ms a record must have been on screen before it can be approved, as on the withdrawals screen. */
const dwell = 350;
/** ms within which a decision can be undone. */
const undoFor = 15_000;

/** Keys of the withdrawals screen, used where its commands are not registered. */
const fallback: Readonly<Record<string, readonly [Chord, ...Chord[]]>> = {
  "withdrawal.approve": ["a"],
  "withdrawal.reject": ["r"],
  "withdrawal.claim": ["t"],
  "withdrawal.take-next": ["n"],
  "withdrawal.previous": ["Shift+n"],
  "withdrawal.defer": ["h"],
};

/** The withdrawals screen's commands on fake records, with their current keys, grid motions and dialog keys. */
export function practiceCommands(registry: Registry, run: PracticeRun, leave: () => void): AnyCommand[] {
  const undecided = (): Reason | null => {
    const { current } = run.getState();
    if (current === null) return "refuse.no-row";
    return current.status === "process" ? null : "practice.refuse.decided";
  };
  const act = (
    id: keyof typeof fallback & `withdrawal.${string}`,
    made: Pick<AnyCommand, "run"> & Partial<Pick<AnyCommand, "refuse" | "hint" | "passing">>,
  ): AnyCommand => {
    const real = registry.get(id);
    const keys = real === undefined ? fallback[id] : real.keys;
    return { scope: "console", subject: null, takes: "none", permission: "signed-in", ...made, id, ...(keys !== undefined && { keys }) };
  };

  function done(services: Services, said: MessageKey, back: () => void, uuid: string, id: string): void {
    services.pushUndo({ id: uuid, text: said, words: { id }, until: performance.now() + undoFor, back: async () => back() });
  }

  const shortId = (): string => `…${run.getState().current?.txn_no.slice(-6) ?? ""}`;

  return [
    act("withdrawal.approve", {
      hint: true,
      passing: ["withdrawal.refuse.unread"],
      refuse: (_: readonly unknown[], context: Context) =>
        undecided() ?? (context.now - run.shownAt() < dwell ? "withdrawal.refuse.unread" : null),
      async run(_, services, context) {
        const { current } = run.getState();
        if (current === null) return;
        const id = shortId();
        if (isConfirmed(current, run.rules)) {
          const sure = await services.ask("money", {
            title: "transaction.ask.approve",
            words: { id },
            amount: shownAmount(current.amount),
            currency: context.currency ?? "",
            payee: current.holder,
            account: services.text("withdrawal.ask.account", { bank: current.bank, number: groupedNumber(current.account_number) }),
            from: null,
            notes: [],
          });
          if (sure !== true) return;
        }
        done(services, "practice.said.approved", run.decide({ act: "approve" }), current.uuid, id);
      },
    }),
    act("withdrawal.reject", {
      hint: true,
      refuse: undecided,
      async run(_, services, context) {
        const { current } = run.getState();
        if (current === null) return;
        const id = shortId();
        const answer = await services.ask("reason", {
          title: "withdrawal.ask.reject",
          words: { id, amount: `${shownAmount(current.amount)} ${context.currency ?? ""}`, payee: current.holder, count: 1 },
          presets: reasonPresets(run.rules.reasons, services),
        });
        if (answer === null) return;
        done(services, "practice.said.rejected", run.decide({ act: "reject", reason: answer.code }), current.uuid, id);
      },
    }),
    act("withdrawal.claim", {
      refuse: () => undecided() ?? (run.getState().current?.claimed === true ? "withdrawal.refuse.already-mine" : null),
      run: () => run.claim(),
    }),
    act("withdrawal.defer", { hint: true, refuse: undecided, run: () => run.defer() }),
    act("withdrawal.take-next", { hint: true, run: () => run.look(run.following(1) ?? run.getState().current) }),
    act("withdrawal.previous", { run: () => run.look(run.following(-1) ?? run.getState().current) }),
    {
      id: "console.escape",
      scope: "console",
      subject: null,
      takes: "none",
      permission: "signed-in",
      keys: ["Escape"],
      whileTyping: true,
      quiet: true,
      run: leave,
    },
    ...registry
      .list()
      .filter(({ id, scope, repeats }) => id === "console.undo" || scope === "dialog" || (scope === "grid" && repeats === true)),
  ];
}
