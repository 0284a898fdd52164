import { payoutRoutes } from "../../src/contract/payouts.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { AnyCommand, Chord } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";
import type { WorkAct } from "../../src/console/kit/commands/context.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { unlessAny } from "../transactions/rows.ts";
import { rules, withdrawalActs } from "./decision.ts";

const { permission } = payoutRoutes.planPayouts;

/** Spreads the marked withdrawals over the paying accounts; the composer says of each why it cannot be paid. */
export const compose: AnyCommand = {
  ...recordCommand<Withdrawal, "many">(withdrawalActs, {
    name: "compose",
    takes: "many",
    permission,
    keys: ["Shift+c"],
    danger: "money",
    refuse: (rows, context) => unlessAny(rows, context, rules.payout),
    run: (rows, _, { pane }) => pane?.payouts?.compose(rows),
  }),
  desk: "payouts",
};

/** A key of the composer; quiet, because the composer shows its own keys. */
const inside = (act: WorkAct | `choose-${string}`, keys: readonly [Chord, ...Chord[]], repeats?: true): AnyCommand =>
  defineCommand({
    id: `payout.${act}`,
    scope: "dialog",
    subject: null,
    takes: "none",
    permission,
    act,
    keys,
    quiet: true,
    ...(repeats && { repeats }),
    run: (_, __, { dialog }) => dialog?.acts[act]?.(),
  });

/** Letters of accounts beyond the nine that have digits; the others move, set or take back something. */
const letters = [..."abcdhilnoqrstuvwy"];

export const composerCommands: readonly AnyCommand[] = [
  inside("down", ["ArrowDown", "j"], true),
  inside("up", ["ArrowUp", "k"], true),
  inside("page-down", ["PageDown"], true),
  inside("page-up", ["PageUp"], true),
  inside("first", ["$mod+Home", "g g"]),
  inside("last", ["$mod+End", "Shift+g"]),
  inside("other-side", ["F6"]),
  inside("leave-out", ["x"]),
  inside("pin", ["p"]),
  inside("choose-other", ["m"]),
  inside("prefer", ["f"]),
  inside("recompute", ["e"]),
  inside("take-back", ["z", "$mod+z"]),
  ...letters.map((letter) => inside(`choose-${letter}`, [letter])),
];
