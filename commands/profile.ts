import { profileRoutes } from "../src/contract/profile.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

export const profileCommands = [
  defineCommand({
    id: "profile.edit",
    scope: "screen",
    screen: "profile",
    leadsTo: "profile-edit",
    subject: null,
    takes: "none",
    permission: profileRoutes.updateProfile.permission,
    keys: ["e", "F2"],
    hint: true,
    run: (_, { go }) => go("profile-edit"),
  }),
  // No key, so that nobody does it by mistake.
  defineCommand({
    id: "profile.end-others",
    careful: true,
    scope: "console",
    subject: null,
    takes: "none",
    permission: profileRoutes.endOtherSessions.permission,
    async run(_, { ask, call, changed, say }) {
      if ((await ask("confirm", { title: "profile.end-others", text: "profile.end-others.text", words: {} })) === null) return;
      const { data } = await call(profileRoutes.endOtherSessions, {});
      changed("own-session", []);
      say("profile.ended", { count: data.ended }, "done");
    },
  }),
];
