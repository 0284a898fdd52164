import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { Code, Proof } from "./session.ts";
import { Instant, Uuid } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1";

/** What an authenticator needs (RFC 6238: SHA-1, 6 digits, 30 s). */
export const TwoFactorSetUp = z.object({
  /** Base32, to be typed in. */
  secret: z.string(),
  /** otpauth://…, to be shown as a QR code. */
  uri: z.string(),
  expires_at: Instant,
});
export type TwoFactorSetUp = z.infer<typeof TwoFactorSetUp>;

/** Ten, each good once; never shown again. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

// what they answer is secret, so that it is kept under no idempotency key
export const twoFactorRoutes = defineRoutes({
  /** A secret on trial for 10 minutes; what was on stays on until its code is confirmed. */
  beginTwoFactor: {
    method: "POST",
    path: `${base}/profile/two-factor`,
    permission: "signed-in",
    unready: true,
    stepUp: true,
    answer: TwoFactorSetUp,
  },
  confirmTwoFactor: {
    method: "POST",
    path: `${base}/profile/two-factor/confirm`,
    permission: "signed-in",
    unready: true,
    body: z.strictObject({ code: Code }),
    answer: RecoveryCodes,
    refuses: ["two-factor.not-begun", "code.refused", "login.throttled"],
  },
  /** New ones; the old ones are void. */
  renewRecoveryCodes: {
    method: "POST",
    path: `${base}/profile/two-factor/recovery-codes`,
    permission: "signed-in",
    body: Proof,
    answer: RecoveryCodes,
    refuses: ["two-factor.off", "password.wrong", "code.refused", "login.throttled", "login.busy"],
  },
  disableTwoFactor: {
    method: "POST",
    path: `${base}/profile/two-factor/disable`,
    permission: "signed-in",
    body: Proof,
    answer: z.object({}),
    refuses: ["two-factor.off", "two-factor.required", "password.wrong", "code.refused", "login.throttled", "login.busy"],
  },
  /**
   * For somebody who lost their authenticator: it is off, and their sessions end. An owner's only by an owner; nobody's who is
   * active in another tenant, too.
   */
  resetUserTwoFactor: {
    method: "POST",
    path: `${base}/users/{uuid}/two-factor/reset`,
    permission: "cas.user.users.reset-two-factor",
    stepUp: true,
    params: z.strictObject({ uuid: Uuid }),
    answer: z.object({}),
    refuses: ["two-factor.off", "user.oneself", "user.elsewhere"],
  },
});
