import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import { actorOf, record } from "../audit/record.ts";
import type { MerchantCall, StaffCall } from "../call.ts";
import { isDevelopment } from "../config.ts";
import { inTenant } from "../db/scope.ts";
import { newId } from "../payments/transition.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { noteAttempt } from "./endpoints.ts";
import { postCallback } from "./post.ts";
import { signCallback } from "./sign.ts";

interface Endpoint {
  readonly name: string;
  readonly url: string | null;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly settings: unknown;
}

/** The type of the event. */
export const testEvent = "test";

/**
 * Sends an event `test` to the merchant's address, signed and addressed as every callback, once, and without a connection to the database
 * meanwhile. The answer's text is not told, because the address may be one the caller should not read. An address that takes it is sent to
 * again as if it had never failed.
 */
export async function sendTestCallback(call: MerchantCall | StaffCall, merchant: { readonly id: string; readonly currency: string }) {
  const { deps, tenant } = call;
  const id = newId(new Date());
  const endpoint = await inTenant(deps.database, tenant, async (db) => {
    const { rows } = await sql<Endpoint>`select m.name, m.callback_url as url, m.secret, t.settings,
        case when m.previous_secret_until > now() then m.previous_secret end as previous_secret
      from merchants m join tenants t on t.id = m.tenant_id where m.tenant_id = ${tenant} and m.id = ${merchant.id}
        and m.currency = ${merchant.currency}`.execute(db);
    const [found] = rows;
    if (!found) throw new Refusal("not-found");
    if (found.url === null) throw new Refusal("callback.no-address");
    await record(db, tenant, actorOf(call), {
      act: "merchant.test-callback",
      entity: "merchant",
      entityId: merchant.id,
      after: { callback: id },
    });
    return { ...found, url: found.url };
  });
  const place = merchantSecretPlace(tenant, merchant.id);
  const secrets = [endpoint.secret, endpoint.previous_secret].filter((one) => one !== null).map((one) => deps.secrets.open(one, place));
  const at = new Date();
  const body = JSON.stringify({ type: testEvent, timestamp: at.toISOString(), data: { merchant: endpoint.name } });
  const loopback = isDevelopment(deps.config) && readSettings(endpoint.settings).loopback_callbacks;
  const { status, error, milliseconds } = await postCallback(endpoint.url, body, signCallback(secrets, id, at, body), {
    loopback,
    signal: call.gone,
  });
  const delivered = status !== null && status >= 200 && status < 300;
  if (delivered) await inTenant(deps.database, tenant, (db) => noteAttempt(db, { tenant_id: tenant, merchant_id: merchant.id }, "taken"));
  return { webhook_id: id, delivered, status, error, milliseconds };
}
