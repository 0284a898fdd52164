import type { paymentAccountRoutes } from "../../contract/payment-accounts.ts";
import { Refusal } from "../../contract/problems.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { keptSecret, newApiKey, newSecret } from "../secrets/new-secret.ts";
import { noticeSecretPlace } from "../secrets/secrets.ts";
import type { AccountRow } from "./account-rows.ts";
import type { PerformOn } from "../records/record-handlers.ts";
import type { PaymentAccount } from "../../contract/payment-accounts.ts";

/** The key by which forwarders sign an account's bank notices: made and renewed by one act, taken away by another. */
export const noticeKeyHandlers = (
  perform: PerformOn<AccountRow, PaymentAccount>,
): Pick<Handlers<typeof paymentAccountRoutes, StaffCall>, "resetNoticeKey" | "revokeNoticeKey"> => ({
  async resetNoticeKey(call, received) {
    const { deps, tenant } = call;
    const { uuid } = received.params;
    const life = received.body.old_secret;
    const place = noticeSecretPlace(tenant, uuid);
    const fresh = deps.secrets.seal(newSecret(), place);
    const key = await inTenant(deps.database, tenant, (db) => newApiKey(db, tenant));
    const { data } = await perform(call, received, "reset-notice-key", ({ notice_key, notice_secret }) => {
      const old = keptSecret(life, notice_secret);
      return {
        columns: {
          notice_key: notice_key ?? key,
          notice_secret: fresh,
          previous_notice_secret: old.secret,
          previous_notice_secret_until: old.until,
        },
        after: notice_key === null ? { notice_key: key } : { old_secret: life },
        // a repetition with the same Idempotency-Key gets the same secret; it is stored sealed, as in its own column
        kept: { sealed: fresh.toString("base64") },
      };
    });
    return { data: { row: data.row, secret: deps.secrets.open(Buffer.from(data.sealed, "base64"), place) } };
  },

  async revokeNoticeKey(call, received) {
    const none = { notice_key: null, notice_secret: null, previous_notice_secret: null, previous_notice_secret_until: null };
    const { data } = await perform(call, received, "revoke-notice-key", ({ notice_key }) => {
      if (notice_key === null) throw new Refusal("not-found");
      return { columns: none, after: { notice_key: null }, kept: {} };
    });
    return { data: data.row };
  },
});
