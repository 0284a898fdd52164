import { twoFactorRoutes } from "../src/contract/two-factor.ts";
import { userRoutes as routes } from "../src/contract/users.ts";
import type { User } from "../src/contract/users.ts";
import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

const ofUser = { scope: "pane", subject: "user", takes: "one" } as const;

const nameOf = ({ name, email }: User): string => name ?? email;
const isInvited = ({ invited_until }: User): boolean => invited_until !== null;

/** Nobody does it to themselves here, nor to somebody who is not a member yet. */
function unlessMember([user]: readonly [User], context: Context): Reason | null {
  if (user.uuid === context.user) return "user.refuse.oneself";
  return isInvited(user) ? "user.refuse.pending" : null;
}

/** Commands that only users have. Without keys, so that nobody does them by mistake. */
export const userCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofUser,
    id: "user.force-password-reset",
    careful: true,
    permission: routes.forcePasswordReset.permission,
    refuse: (rows, context) => unlessMember(rows, context) ?? (rows[0].force_reset_password ? "user.refuse.forced" : null),
    async run([user], services) {
      const words = { name: nameOf(user) };
      const { uuid, version } = user;
      const sure = await services.ask("confirm", { title: "user.ask.force-reset", text: "user.ask.force-reset-text", words });
      if (sure !== true) return;
      await runAct("user", user, services, async () => {
        const { data } = await services.call(
          routes.forcePasswordReset,
          { params: { uuid }, body: { version } },
          { idempotencyKey: newUuid() },
        );
        services.changed("user", [data]);
        services.say("user.said.force-reset", words, "done");
      });
    },
  }),
  defineCommand({
    ...ofUser,
    id: "user.reset-two-factor",
    danger: "irreversible",
    permission: twoFactorRoutes.resetUserTwoFactor.permission,
    refuse: (rows, context) => unlessMember(rows, context) ?? (rows[0].two_factor === "off" ? "user.refuse.no-two-factor" : null),
    async run([user], services) {
      const words = { name: nameOf(user) };
      const { uuid } = user;
      const sure = await services.ask("confirm", { title: "user.ask.reset-two-factor", text: "user.ask.reset-two-factor-text", words });
      if (sure !== true) return;
      await runAct("user", user, services, async () => {
        await services.call(twoFactorRoutes.resetUserTwoFactor, { params: { uuid } }, { idempotencyKey: newUuid() });
        services.changed("user", [{ uuid }]);
        services.say("user.said.reset-two-factor", words, "done");
      });
    },
  }),
  defineCommand({
    ...ofUser,
    id: "user.end-sessions",
    careful: true,
    permission: routes.endUserSessions.permission,
    refuse: (rows, context) => unlessMember(rows, context) ?? (rows[0].sessions === 0 ? "user.refuse.no-sessions" : null),
    async run([user], services) {
      const words = { name: nameOf(user) };
      const { uuid } = user;
      if ((await services.ask("confirm", { title: "user.ask.end-sessions", text: "user.ask.end-sessions-text", words })) !== true) return;
      await runAct("user", user, services, async () => {
        const { data } = await services.call(routes.endUserSessions, { params: { uuid } }, { idempotencyKey: newUuid() });
        services.changed("user", [{ uuid }]);
        services.say("user.said.ended", { count: data.ended }, "done");
      });
    },
  }),
  defineCommand({
    ...ofUser,
    id: "user.resend-invitation",
    permission: routes.resendInvitation.permission,
    refuse: ([user]) => (isInvited(user) ? null : "user.refuse.not-pending"),
    async run([user], services) {
      const { uuid, version, email } = user;
      await runAct("user", user, services, async () => {
        const sent = { params: { uuid }, body: { version } };
        const { data } = await services.call(routes.resendInvitation, sent, { idempotencyKey: newUuid() });
        services.changed("user", [data]);
        services.say("user.said.invited", { email }, "done");
      });
    },
  }),
  defineCommand({
    ...ofUser,
    id: "user.withdraw-invitation",
    danger: "irreversible",
    permission: routes.withdrawInvitation.permission,
    refuse: ([user]) => (isInvited(user) ? null : "user.refuse.not-pending"),
    async run([user], services) {
      const { uuid, version, email } = user;
      const words = { email };
      if ((await services.ask("confirm", { title: "user.ask.withdraw", text: "user.ask.withdraw-text", words })) !== true) return;
      await runAct("user", user, services, async () => {
        await services.call(routes.withdrawInvitation, { params: { uuid }, body: { version } }, { idempotencyKey: newUuid() });
        const gone = { uuid, gone: true };
        services.changed("user", [gone]);
        services.say("user.said.withdrawn", words, "done");
      });
    },
  }),
  defineCommand({
    ...ofUser,
    id: "user.remove",
    danger: "irreversible",
    permission: routes.deleteUser.permission,
    refuse: (rows, context) => unlessMember(rows, context),
    async run([user], services) {
      const words = { name: nameOf(user) };
      const { uuid, version } = user;
      if ((await services.ask("confirm", { title: "user.ask.remove", text: "user.ask.remove-text", words })) !== true) return;
      await runAct("user", user, services, async () => {
        await services.call(routes.deleteUser, { params: { uuid }, query: { version } }, { idempotencyKey: newUuid() });
        const gone = { uuid, gone: true };
        services.changed("user", [gone]);
        services.say("user.said.removed", words, "done");
      });
    },
  }),
];
