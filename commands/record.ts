import type { AnyCommand, Reason, Right } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { Desks, RecordAct, RecordRow } from "../src/console/kit/commands/desks.ts";
import type { MessageKey } from "../src/console/kit/texts/messages.ts";
import { runAct } from "./run-act.ts";

/** The permission for an act; null where records of this kind do not have the act. */
const may =
  (act: RecordAct) =>
  ({ record }: Desks): Right | null =>
    record?.may[act] ?? null;

const refused =
  (act: RecordAct) =>
  ([row]: readonly [RecordRow], { pane, user }: Context): Reason | null =>
    pane?.record?.refuse(row, act, user) ?? null;

/** Former ids, from when each kind of record had its own commands. */
const formerly = (act: string) => ["merchant", "payment-account"].map((subject) => `${subject}.${act}`);

const ofRecord = { scope: "pane", desk: "record", subject: "any", takes: "one" } as const;

/** Commands of every plain record; the list lends their permissions and texts. */
export const recordCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "screen",
    desk: "record",
    subject: null,
    takes: "none",
    id: "record.create",
    formerly: formerly("create"),
    permission: may("create"),
    keys: ["c"],
    hint: true,
    run: (_, __, { pane }) => pane?.record?.create(),
  }),
  defineCommand({
    ...ofRecord,
    id: "record.duplicate",
    permission: may("duplicate"),
    run: ([{ uuid }], _, { pane }) => pane?.record?.duplicate(uuid),
  }),
  defineCommand({
    ...ofRecord,
    id: "record.edit",
    formerly: formerly("edit"),
    permission: may("update"),
    keys: ["e", "F2"],
    hint: true,
    refuse: refused("update"),
    run: ([{ uuid }], _, { pane }) => pane?.record?.edit(uuid),
  }),
  // No key, so that nobody does it by mistake.
  defineCommand({
    ...ofRecord,
    id: "record.change-status",
    formerly: formerly("change-status"),
    careful: true,
    permission: may("status"),
    refuse: refused("status"),
    async run([row], services, { pane }) {
      const desk = pane?.record;
      if (desk == null) return;
      const name = desk.nameOf(row);
      const present = desk.statusOf(row);
      const word = (status: string) => services.text(`status.${status}` as MessageKey); // every status a person may set has a text
      const status = await services.ask("choice", {
        title: "record.ask.status",
        words: { name },
        options: desk.statuses.map((id) => ({
          id,
          label: word(id),
          note: "",
          refused: id === present ? services.text("record.ask.status-now") : null,
        })),
      });
      if (status === null) return;
      const needed = desk.needsReason(status);
      const reason = await services.ask("text", {
        title: `record.ask.status-to.${status}` as MessageKey, // every status a person may set has its act
        label: needed ? "sheet.text.reason" : "sheet.text.reason-optional",
        words: { name },
        initial: "",
        maximum: 500,
        ...(needed && { refuse: (typed) => (typed.trim() === "" ? "problem.reason.missing" : null) }),
      });
      if (reason === null) return;
      await runAct(desk.subject, row, services, async () => {
        const changed = await desk.setStatus(row, status, reason.trim());
        services.say("record.said.status", { name, status: word(status) }, "done");
        services.changed(desk.subject, [changed]);
      });
    },
  }),
  // No key, so that nobody does it by mistake.
  defineCommand({
    ...ofRecord,
    id: "record.delete",
    formerly: formerly("delete"),
    permission: may("remove"),
    refuse: refused("remove"),
    danger: "irreversible",
    async run([row], services, { pane }) {
      const desk = pane?.record;
      if (desk == null) return;
      const name = desk.nameOf(row);
      const { key, words } = desk.removalText(row);
      if ((await services.ask("confirm", { title: "record.ask.delete", text: key, words: { name, ...words } })) !== true) return;
      await runAct(desk.subject, row, services, async () => {
        await desk.remove(row);
        const gone = { uuid: row.uuid, gone: true };
        services.say("record.said.deleted", { name }, "done");
        services.changed(desk.subject, [gone]);
      });
    },
  }),
];
