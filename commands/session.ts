import { defineCommand } from "../src/console/kit/commands/command.ts";

export const sessionCommands = [
  defineCommand({
    id: "session.tenant",
    scope: "console",
    subject: null,
    takes: "none",
    permission: "signed-in",
    keys: ["g t"],
    run: (_, { open }) => open("tenant"),
  }),
  defineCommand({
    id: "session.currency",
    scope: "console",
    subject: null,
    takes: "none",
    permission: "signed-in",
    keys: ["g c"],
    run: (_, { open }) => open("currency"),
  }),
  defineCommand({
    id: "session.language",
    scope: "console",
    subject: null,
    takes: "none",
    permission: "signed-in",
    run: (_, { open }) => open("language"),
  }),
  // No key, so that nobody signs out by mistake.
  defineCommand({
    id: "session.sign-out",
    careful: true,
    scope: "console",
    subject: null,
    takes: "none",
    permission: "signed-in",
    run: (_, { shell }) => shell.signOut(),
  }),
];
