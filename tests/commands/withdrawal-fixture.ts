import { withdrawalCommands } from "../../commands/withdrawals/commands.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import type { Context, PaneState } from "../../src/console/kit/commands/context.ts";
import { createRegistry } from "../../src/console/kit/commands/registry.ts";
import type { BulkOutcome, Questions, Services, Undo } from "../../src/console/kit/commands/services.ts";
import type { DecisionDesk } from "../../src/console/kit/commands/desks.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";
import { aWithdrawal, me } from "../console/withdrawals/rows.ts";

const every = ["view", "process", "take-over", "approve", "second-approve", "reject", "recall", "send-callback"];
const mayAll = { "pas.transaction.withdrawals": every };

export const desk: DecisionDesk = {
  settings: {
    claim_limit: 10,
    lease_seconds: 90,
    recall_seconds: 5,
    tiers: {},
    reject_reasons: [{ code: "name-mismatch", text: null }],
    sla: { amber_minutes: 5, red_minutes: 10 },
  },
  gone: () => null,
  failing: () => null,
  accounts: () => null,
  age: () => "05:00",
  left: () => 30,
  create: null,
};

/** The record under the cursor, on screen long enough; whatever is changed. */
export function on(row: Withdrawal, pane: Partial<PaneState> = {}, more: Partial<Context> = {}): Context {
  return aContext({
    user: me,
    permissions: mayAll,
    now: 1000,
    pane: aPane({ cursor: row, decision: desk, detail: { uuid: row.uuid, version: row.version, paintedAt: 0 }, ...pane }),
    ...more,
  });
}

export interface Sent {
  path: string;
  body: {
    rows: {
      uuid: string;
      version: number;
      confirmed?: unknown;
      payment_account?: string;
      claim?: true;
      amount?: string;
      reason?: string;
      reference_no?: string;
    }[];
    reason?: unknown;
  };
  key: string | undefined;
}

/** The commands of a kind before a server that grants, or answers as it is told; questions, and the read of a record, are answered as given. */
export function fixtureOf(
  kind: { readonly commands: readonly AnyCommand[]; readonly screen: ScreenName; aRow(more: Pick<Withdrawal, "uuid" | "version">): object },
  answers: Partial<Record<string, unknown>> = {},
  outcome?: (sent: Sent) => unknown,
) {
  const sent: Sent[] = [];
  const said: [string, Record<string, string | number> | undefined][] = [];
  const undos: Undo[] = [];
  const changed: unknown[] = [];
  const asked: string[] = [];
  const questions: unknown[] = [];
  const outcomes: BulkOutcome[] = [];
  const services = {
    async call(route: { path: string }, { body }: { body?: Sent["body"] }, options?: { idempotencyKey?: string }) {
      if (body === undefined) return { data: answers["read"] };
      const one: Sent = { path: route.path.split("/").at(-1) ?? "", body, key: options?.idempotencyKey };
      sent.push(one);
      const told = outcome?.(one);
      if (told instanceof Error) throw told;
      const rows = body.rows.map(({ uuid, version }) => ({
        uuid,
        done: true,
        row: {
          ...kind.aRow({ uuid, version: version + 1 }),
          ...(one.path === "approve" && { status: "approved", recallable_until: "2026-11-21T06:10:05.000Z" }),
        },
      }));
      return { data: { outcomes: told ?? rows } };
    },
    async ask(named: string, question: Questions["bulk"]["asked"]) {
      asked.push(named);
      questions.push(question);
      if (named === "bulk") for (const slice of question.slices) outcomes.push(...(await slice.send()));
      return answers[named] ?? null;
    },
    say: (key: string, words?: Record<string, string | number>) => void said.push([key, words]),
    text: (key: string) => key,
    pushUndo: (undo: Undo) => void undos.push(undo),
    changed: (_: string, rows: readonly unknown[]) => void changed.push(...rows),
    shell: { togglePane: (pane: string) => void said.push(["toggled", { pane }]) },
  } as unknown as Services; // what these commands use
  const registry = createRegistry([...kind.commands], { services, routedScreens: new Set([kind.screen]) });
  const press = async (chord: string, context: Context) => {
    const owner = registry.owner(chord, context);
    if (owner) await registry.run(owner.id, "key", context);
    return owner?.id ?? null;
  };
  return { services, sent, said, undos, changed, asked, questions, outcomes, press, registry };
}

const withdrawals = { commands: withdrawalCommands, screen: "withdrawals", aRow: aWithdrawal } as const;

/** The same, of withdrawals. */
export const fixture = (answers: Partial<Record<string, unknown>> = {}, outcome?: (sent: Sent) => unknown) =>
  fixtureOf(withdrawals, answers, outcome);
