import { sql } from "kysely";
import type { MerchantForm, tenantMerchantRoutes } from "../../contract/merchants.ts";
import { merchantColumns } from "../../contract/merchants.ts";
import { Refusal } from "../../contract/problems.ts";
import { countedTo } from "../../contract/records.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { forgetEndpoint } from "../outbox/endpoints.ts";
import { enableEndpoint } from "../outbox/health.ts";
import { sendTestCallback } from "../outbox/test-callback.ts";
import { linkedGroups, groupsOfMerchant } from "../payment-groups/group-links.ts";
import { inOrder, linked } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import type { Uses } from "../records/record-kind.ts";
import { keptSecret, newApiKey, newSecret } from "../secrets/new-secret.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import { settingsOf } from "../settings/settings.ts";
import { findMerchants, merchantDetail, merchantsOf, merchantView } from "./merchant-rows.ts";
import type { MerchantRow } from "./merchant-rows.ts";
import { listOf, merchantFaults } from "./merchant-rules.ts";

const sealedSecret = ({ deps, tenant }: StaffCall, id: string): Buffer => deps.secrets.seal(newSecret(), merchantSecretPlace(tenant, id));

/** The API key of a new merchant, and its secret. */
async function credentials(db: Scoped, call: StaffCall, id: string) {
  return { api_key: await newApiKey(db, call.tenant), secret: sealedSecret(call, id) };
}

/** The transactions, ledger entries and payment groups of the merchant, and its balances. */
async function usesOf(db: Scoped, { tenant }: StaffCall, { id, currency, wallet, hold, groups }: MerchantRow): Promise<Uses> {
  const used = await sql<{ transactions: number; entries: number }>`select
      (select count(*)::integer from (select from transactions where tenant_id = ${tenant} and merchant_id = ${id} limit ${countedTo}) t) as transactions,
      (select least(coalesce(sum(last_seq), 0), ${countedTo})::integer from ledger_accounts where tenant_id = ${tenant} and currency = ${currency}
        and kind in ('wallet', 'hold') and owner_id = ${id}) as entries`.execute(db);
  const names = (await linkedGroups(db, tenant, groups)).map(({ name }) => name);
  return { ...used.rows[0], wallet: amountText(wallet), hold: amountText(hold), groups: names };
}

const { list, read, create, update, changeStatus, remove, perform } = recordHandlers({
  entity: "merchant",
  table: "merchants",
  currency: true,
  columns: merchantColumns,
  stored: {
    name: { sort: [{ name: "name_key", type: "text" }] },
    status: {
      sort: [
        { name: "status", type: "text" },
        { name: "created_at", type: "timestamptz" },
      ],
    },
  },
  rows: merchantsOf,
  view: merchantView,
  nameOf: ({ name }) => name,
  fixed: ({ code }: { code: string }) => ({ code }),
  fields: (of: MerchantForm | MerchantRow) => ({
    name: of.name,
    deposit_rate: amountText(of.deposit_rate),
    withdrawal_rate: amountText(of.withdrawal_rate),
    settlement_rate: amountText(of.settlement_rate),
    charges_borne_by: of.charges_borne_by,
    website_url: of.website_url || null,
    backoffice_url: of.backoffice_url || null,
    callback_url: of.callback_url || null,
    whitelist_ips: typeof of.whitelist_ips === "string" ? listOf(of.whitelist_ips) : of.whitelist_ips,
    ...(of.groups && { groups: inOrder(of.groups) }),
  }),
  parts: { groups: linked(groupsOfMerchant) },
  detail: merchantDetail,
  faults: async (db, { deps, tenant }, { changed }) =>
    merchantFaults(changed, isDevelopment(deps.config) && (await settingsOf(db, tenant)).loopback_callbacks),
  // they decide where callbacks go, who can call, and what is charged
  guarded: ["callback_url", "whitelist_ips", "deposit_rate", "withdrawal_rate", "settlement_rate"],
  constraints: { merchants_tenant_id_code_key: { code: ["Already taken"] } },
  made: credentials,
  async written(db, { tenant }, id, changed) {
    if ("callback_url" in changed) await forgetEndpoint(db, tenant, id);
  },
  uses: usesOf,
});

export const tenantMerchantHandlers: Handlers<typeof tenantMerchantRoutes, StaffCall> = {
  listMerchants: list,
  readMerchant: read,
  createMerchant: create,
  updateMerchant: update,
  changeMerchantStatus: changeStatus,
  deleteMerchant: remove,

  async resetMerchantCredentials(call, received) {
    const { uuid } = received.params;
    const life = received.body.old_secret;
    const fresh = sealedSecret(call, uuid);
    const { data } = await perform(call, received, "reset-credentials", ({ secret, secret_used_at }) => {
      const kept = keptSecret(life, secret);
      return {
        columns: {
          secret: fresh,
          secret_used_at: null,
          previous_secret: kept.secret,
          previous_secret_until: kept.until,
          previous_secret_used_at: kept.secret && secret_used_at,
        },
        after: { old_secret: life },
        // a repetition with the same Idempotency-Key gets the same secret; it is stored sealed, as in its own column
        kept: { sealed: fresh.toString("base64") },
      };
    });
    const secret = call.deps.secrets.open(Buffer.from(data.sealed, "base64"), merchantSecretPlace(call.tenant, uuid));
    return { data: { row: data.row, secret } };
  },

  async viewMerchantSecret(call, { params: { uuid } }) {
    const { tenant, currency, deps } = call;
    // kept with an Idempotency-Key as it is stored, sealed
    const { sealed } = await once(call, null, async (db) => {
      const columns = db.selectFrom("merchants").select("secret");
      const found = await columns
        .where("tenant_id", "=", tenant)
        .where("currency", "=", currency)
        .where("id", "=", uuid)
        .executeTakeFirst();
      if (!found) throw new Refusal("not-found");
      await audit(db, { tenant, entity: "merchant", id: uuid }, actorOf(call), "view-secret", {});
      return { answer: { sealed: found.secret.toString("base64") } };
    });
    return { data: { secret: deps.secrets.open(Buffer.from(sealed, "base64"), merchantSecretPlace(tenant, uuid)) } };
  },

  revokeOldMerchantSecret: (call, received) =>
    perform(call, received, "revoke-old-secret", () => ({
      columns: { previous_secret: null, previous_secret_until: null, previous_secret_used_at: null },
      after: {},
      kept: {},
    })),

  async testMerchantCallback(call, { params: { uuid } }) {
    const { webhook_id: _, ...told } = await sendTestCallback(call, { id: uuid, currency: call.currency });
    return { data: told };
  },

  async enableMerchantEndpoint(call, { params: { uuid } }) {
    const { tenant } = call;
    const enabled = await once(call, null, async (db) => {
      if ((await findMerchants(db, call, [uuid])).length === 0) throw new Refusal("not-found");
      const answer = await enableEndpoint(db, { tenant_id: tenant, merchant_id: uuid });
      if (answer) await audit(db, { tenant, entity: "merchant", id: uuid }, actorOf(call), "enable-callbacks", {});
      return { answer };
    });
    return { data: { enabled } };
  },
};
