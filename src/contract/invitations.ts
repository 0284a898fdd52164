import { z } from "zod";
import { control } from "./controls.ts";
import { defineRoutes } from "./route.ts";
import { confirmed, NewPassword, PasswordAgain, Tenant } from "./session.ts";
import { Instant, Name } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1/auth/invitation";

/** Days a mailed invitation can be accepted. */
export const invitationDays = 7;

/** As the mailed link carries it: the tenant, and a secret. */
const Token = z.string().min(1).max(200);

/** Why an invitation cannot be accepted, told to whoever holds its link. */
const over = ["invitation.unknown", "invitation.expired", "invitation.withdrawn", "invitation.replaced", "invitation.accepted"] as const;

/** An invitation as its link shows it. */
export const Invitation = z.object({
  tenant: Tenant.pick({ code: true, name: true, colour: true }),
  email: z.string(),
  /** Who invites. */
  by: z.string(),
  /** sign-in: accepted with the account they work with · password: they choose a password first. */
  way: z.enum(["sign-in", "password"]),
  /** What the tenant calls them, where it made their account; null: they have a name of their own. */
  name: z.string().nullable(),
  expires_at: Instant,
});
export type Invitation = z.infer<typeof Invitation>;

export const invitationRoutes = defineRoutes({
  readInvitation: {
    method: "POST",
    path: `${base}/read`,
    permission: "public",
    body: z.strictObject({ token: Token }),
    answer: Invitation,
    refuses: ["login.throttled", ...over],
  },
  /** By the person it was sent to, with their session. */
  acceptInvitation: {
    method: "POST",
    path: `${base}/accept`,
    permission: "signed-in",
    tenant: "none",
    body: z.strictObject({ token: Token }),
    answer: Tenant,
    refuses: ["invitation.other-user", ...over],
  },
  /** By a person who cannot sign in yet: with the password they choose, and the name they go by. All their sessions end. */
  acceptWithPassword: {
    method: "POST",
    path: `${base}/accept-with-password`,
    permission: "public",
    body: z
      .strictObject({
        token: Token,
        /** Left out: it stays. */
        name: Name(120)
          .meta(control("text", { autoComplete: "name" }))
          .optional(),
        password: NewPassword,
        password_confirmation: PasswordAgain,
      })
      .check(confirmed),
    answer: z.object({ email: z.string() }),
    refuses: ["login.throttled", "login.busy", "invitation.sign-in", ...over],
  },
});
