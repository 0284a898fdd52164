import { z } from "zod";
import { control } from "./controls.ts";
import { defineRoutes } from "./route.ts";
import { confirmed, NewPassword, Password, PasswordAgain, Profile } from "./session.ts";
import { Instant, Name, Uuid } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1";

/** One of the caller's live sessions. */
export const OwnSession = z.object({
  uuid: Uuid,
  started_at: Instant,
  /** Its last token refresh, at most 15 minutes before its last use. */
  renewed_at: Instant,
  ends_at: Instant,
  ip: z.string().nullable(),
  /** The User-Agent header of the sign-in. */
  agent: z.string().nullable(),
  /** The session of this request. */
  current: z.boolean(),
});
export type OwnSession = z.infer<typeof OwnSession>;

/** The caller's own account, the same in all tenants. */
export const profileRoutes = defineRoutes({
  updateProfile: {
    method: "PATCH",
    path: `${base}/profile`,
    permission: "profile.update",
    body: z.strictObject({ name: Name(120).meta(control("text", { autoComplete: "name" })) }),
    answer: z.object({ user: Profile }),
  },
  /** Ends the caller's other sessions and lifts a forced reset. */
  changePassword: {
    method: "PUT",
    path: `${base}/profile/password`,
    permission: "signed-in",
    unready: true,
    body: z
      .strictObject({
        current_password: Password,
        password: NewPassword,
        password_confirmation: PasswordAgain,
      })
      .check(confirmed),
    answer: z.object({}),
    refuses: ["password.wrong", "login.throttled", "login.busy"],
  },
  /** The newest first. */
  listOwnSessions: { method: "GET", path: `${base}/profile/sessions`, permission: "signed-in", answer: z.array(OwnSession) },
  endOwnSession: {
    method: "DELETE",
    path: `${base}/profile/sessions/{uuid}`,
    permission: "signed-in",
    params: z.strictObject({ uuid: Uuid }),
    answer: z.object({}),
  },
  endOtherSessions: {
    method: "POST",
    path: `${base}/profile/sessions/end-others`,
    permission: "signed-in",
    answer: z.object({ ended: z.int() }),
  },
});
