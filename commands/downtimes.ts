import { downtimeRoutes as routes } from "../src/contract/downtimes.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

/** Commands that only downtimes have. */
export const downtimeCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "pane",
    subject: "downtime",
    id: "downtime.end",
    takes: "one",
    permission: routes.endDowntime.permission,
    keys: ["a"],
    hint: true,
    refuse: ([{ state }]) => (state === "now" ? null : "problem.downtime.not-active"),
    async run([row], services) {
      const { uuid, version, entity, repeats } = row;
      const words = { name: entity.name };
      const text = repeats === "weekly" ? "downtime.ask.end-weekly" : "downtime.ask.end-once";
      if ((await services.ask("confirm", { title: "downtime.ask.end", text, words })) !== true) return;
      await runAct("downtime", row, services, async () => {
        const { data } = await services.call(routes.endDowntime, { params: { uuid }, body: { version } }, { idempotencyKey: newUuid() });
        services.changed("downtime", [data]);
        services.say("downtime.said.ended", words, "done");
      });
    },
  }),
];
