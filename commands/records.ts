import type { Subjects } from "../src/contract/index.ts";
import type { Permission } from "../src/contract/permissions.ts";
import type { ScreenName } from "../src/contract/screens.ts";
import type { AnyCommand, Reason } from "../src/console/kit/command.ts";
import type { Context } from "../src/console/kit/context.ts";
import type { MessageKey } from "../src/console/kit/messages.ts";
import type { Services } from "../src/console/kit/services.ts";

type Row = { readonly uuid: string; readonly version: number };

/** Plain records of one kind: their screen, their rights and the calls that change one. */
export interface RecordKind<S extends keyof Subjects, T extends string> {
  readonly subject: S;
  readonly screen: ScreenName;
  /** Taken from the routes. */
  readonly may: Readonly<Record<"list" | "create" | "update" | "status" | "remove", Permission>>;
  /** What a person may set. */
  readonly statuses: readonly T[];
  nameOf(row: Subjects[S]): string;
  setStatus(row: Subjects[S], status: T, reason: string, services: Services): Promise<Subjects[S]>;
  remove(row: Subjects[S], services: Services): Promise<void>;
}

const needsDesk = (_: readonly unknown[], context: Context): Reason | null => (context.pane?.records ? null : "record.refuse.elsewhere");

/** The commands every screen of plain records has, under its subject's name. */
export function recordCommands<S extends keyof Subjects, T extends string>(kind: RecordKind<S, T>): readonly AnyCommand[] {
  const { subject, screen, may } = kind;
  const ofScreen = { scope: "screen", screen, subject: null, takes: "none" } as const;
  const ofRecord = { scope: "pane", screen, subject, takes: "one" } as const;
  const only = (rows: readonly unknown[]): Subjects[S] & Row => rows[0] as Subjects[S] & Row; // the registry hands one row of the subject

  /** An act on a record; refused, the row is looked at again: another may have changed or deleted it. */
  async function acting(row: Row, services: Services, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      services.changed(subject, [{ uuid: row.uuid }]);
      throw error;
    }
  }

  return [
    {
      ...ofScreen,
      id: `${subject}.create`,
      permission: may.create,
      keys: ["c"],
      hint: true,
      refuse: needsDesk,
      run: (_, __, context) => context.pane?.records?.create(),
    },
    {
      ...ofRecord,
      id: `${subject}.edit`,
      permission: may.update,
      keys: ["e", "F2"],
      hint: true,
      refuse: needsDesk,
      run: (rows, _, context) => context.pane?.records?.edit(only(rows).uuid),
    },
    // No key on purpose: not done by a slip.
    {
      ...ofRecord,
      id: `${subject}.change-status`,
      careful: true,
      permission: may.status,
      async run(rows, services) {
        const row = only(rows);
        const name = kind.nameOf(row);
        const present: unknown = "status" in row ? row.status : null;
        const word = (status: T) => services.text(`status.${status}` as MessageKey); // every status a person may set has a text
        const chosen = await services.ask("choice", {
          title: "record.ask.status",
          words: { name },
          options: kind.statuses.map((status) => ({
            id: status,
            label: word(status),
            note: "",
            refused: status === present ? services.text("record.ask.status-now") : null,
          })),
        });
        const status = kind.statuses.find((one) => one === chosen);
        if (status === undefined) return;
        const reason = await services.ask("text", {
          title: "record.ask.status-reason",
          words: { name, status: word(status) },
          initial: "",
          maximum: 500,
        });
        if (reason === null) return;
        await acting(row, services, async () => {
          const changed = await kind.setStatus(row, status, reason.trim(), services);
          services.say("record.said.status", { name, status: word(status) }, "done");
          services.changed(subject, [changed as Row]); // every subject's row has an id
        });
      },
    },
    // No key on purpose: not done by a slip.
    {
      ...ofRecord,
      id: `${subject}.delete`,
      permission: may.remove,
      danger: "irreversible",
      async run(rows, services) {
        const row = only(rows);
        const name = kind.nameOf(row);
        if ((await services.ask("confirm", { title: "record.ask.delete", text: "record.ask.delete-text", words: { name } })) !== true)
          return;
        await acting(row, services, async () => {
          await kind.remove(row, services);
          const gone = { uuid: row.uuid, gone: true };
          services.say("record.said.deleted", { name }, "done");
          services.changed(subject, [gone]);
        });
      },
    },
    {
      ...ofRecord,
      id: `${subject}.history`,
      permission: may.list,
      keys: ["i"],
      refuse: needsDesk,
      run(_, services, context) {
        if (context.pane?.detail === null) services.shell.togglePane("detail");
        context.pane?.records?.showHistory();
      },
    },
    {
      ...ofScreen,
      id: `${subject}.find`,
      permission: may.list,
      keys: ["/"],
      refuse: needsDesk,
      run: (_, __, context) => context.pane?.records?.find(),
    },
    {
      ...ofScreen,
      id: `${subject}.filter`,
      permission: may.list,
      keys: ["f"],
      refuse: needsDesk,
      run: (_, __, context) => context.pane?.records?.filterColumn(),
    },
    {
      ...ofScreen,
      id: `${subject}.filter-value`,
      permission: may.list,
      keys: ["Shift+f"],
      refuse: (rows, context) =>
        needsDesk(rows, context) ?? context.pane?.records?.unfiltered() ?? (context.pane?.cursor ? null : "refuse.no-row"),
      run: (_, __, context) => context.pane?.records?.filterByValue(),
    },
    {
      ...ofScreen,
      id: `${subject}.drop-filter`,
      permission: may.list,
      keys: ["Shift+Backspace"],
      refuse: (_, context) => (context.pane?.records?.hasFilters() ? null : "record.refuse.no-filter"),
      run: (_, __, context) => context.pane?.records?.dropFilter(),
    },
    {
      ...ofScreen,
      id: `${subject}.reset`,
      permission: may.list,
      refuse: needsDesk,
      run: (_, __, context) => context.pane?.records?.reset(),
    },
  ];
}
