import { ownerCode, userGroupRoutes as routes } from "../src/contract/user-groups.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

/** Most groups to choose from; a tenant has a few. */
const mostOffered = 500;

/** Commands that only user groups have. */
export const userGroupCommands: readonly AnyCommand[] = [
  defineCommand({
    id: "user-group.compare",
    scope: "pane",
    desk: "comparing",
    subject: "user-group",
    takes: "many",
    permission: routes.readUserGroup.permission,
    keys: ["Shift+c"],
    refuse: (rows) => (rows.length === 2 ? null : "user-group.refuse.not-two"),
    run([one, other], _, { pane }) {
      if (other !== undefined) pane?.comparing?.compare(one, other);
    },
  }),
  // No key, so that nobody does it by mistake.
  defineCommand({
    id: "user-group.dissolve",
    scope: "pane",
    subject: "user-group",
    takes: "one",
    permission: routes.dissolveUserGroup.permission,
    danger: "irreversible",
    refuse([{ code, members }]) {
      if (code === ownerCode) return "user-group.refuse.fixed";
      return members === 0 ? "user-group.refuse.no-members" : null;
    },
    async run([group], services) {
      const { uuid, version, name, members } = group;
      const { data: all } = await services.call(routes.listUserGroups, { query: { limit: mostOffered, sort: "name" } });
      const into = await services.ask("choice", {
        title: "user-group.ask.into",
        words: { name },
        options: all.filter((one) => one.uuid !== uuid).map((one) => ({ id: one.uuid, label: one.name, note: one.code, refused: null })),
      });
      const target = all.find((one) => one.uuid === into);
      if (target === undefined) return;
      const words = { name, count: members, into: target.name };
      const sure = await services.ask("confirm", { title: "user-group.ask.dissolve", text: "user-group.ask.dissolve-text", words });
      if (sure !== true) return;
      await runAct("user-group", group, services, async () => {
        const sent = { params: { uuid }, body: { version, into: target.uuid } };
        const { data } = await services.call(routes.dissolveUserGroup, sent, { idempotencyKey: newUuid() });
        const gone = { uuid, gone: true };
        services.changed("user-group", [gone, { uuid: target.uuid }]);
        services.say("user-group.said.dissolved", { name, count: data.moved, into: data.into.name }, "done");
      });
    },
  }),
];
