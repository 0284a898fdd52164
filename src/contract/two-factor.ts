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

/** Ten codes, each valid once; never shown again. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

// without idempotency keys, because the answers are secret and a key would store them
export const twoFactorRoutes = defineRoutes({
  /** Starts a set-up that is valid for 10 minutes; two-factor in use stays on until the new secret's code is confirmed. */
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
    unrepeated: true,
    unready: true,
    body: z.strictObject({ code: Code }),
    answer: RecoveryCodes,
    refuses: ["two-factor.not-begun", "code.refused", "login.throttled"],
  },
  /** Replaces the recovery codes; the old ones become void. */
  renewRecoveryCodes: {
    method: "POST",
    path: `${base}/profile/two-factor/recovery-codes`,
    permission: "signed-in",
    unrepeated: true,
    body: Proof,
    answer: RecoveryCodes,
    refuses: ["two-factor.off", "password.wrong", "code.refused", "login.throttled", "login.busy"],
  },
  disableTwoFactor: {
    method: "POST",
    path: `${base}/profile/two-factor/disable`,
    permission: "signed-in",
    unrepeated: true,
    body: Proof,
    answer: z.object({}),
    refuses: ["two-factor.off", "two-factor.required", "password.wrong", "code.refused", "login.throttled", "login.busy"],
  },
  /**
   * For a user who lost their authenticator: turns two-factor off and ends their sessions. Only an owner can do it for an owner, nobody for a
   * user who holds more than they do, or who also works in another tenant.
   */
  resetUserTwoFactor: {
    method: "POST",
    path: `${base}/users/{uuid}/two-factor/reset`,
    permission: "cas.user.users.reset-two-factor",
    stepUp: true,
    params: z.strictObject({ uuid: Uuid }),
    answer: z.object({}),
    refuses: ["two-factor.off", "user.oneself", "user.owner", "user.pending", "user.holds-more", "user.elsewhere"],
  },
});
