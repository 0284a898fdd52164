import type { Merchant, MerchantDetail } from "../../../src/contract/merchants.ts";
import type { RecordEvent } from "../../../src/contract/records.ts";

/** A merchant as the list has it. */
export function aMerchant(more: Partial<Merchant> = {}): Merchant {
  return {
    uuid: "44444444-4444-4444-8444-444444444444",
    version: 1,
    code: "HARBOUR",
    name: "Harbour Play",
    currency: "MYR",
    status: "active",
    deposit_rate: "1.50",
    withdrawal_rate: "1.00",
    settlement_rate: "0.25",
    charges_borne_by: "house",
    website_url: null,
    backoffice_url: null,
    callback_url: "https://harbour.example/callback",
    whitelist_ips: "",
    api_key: "key",
    old_secret_until: null,
    wallet: "0.00",
    hold: "0.00",
    endpoint: "working",
    created_at: "2026-11-20T06:00:00.000Z",
    updated_at: "2026-11-20T06:00:00.000Z",
    ...more,
  };
}

export const anEvent = (more: Partial<RecordEvent> = {}): RecordEvent => ({
  at: "2026-11-21T06:00:00.000Z",
  act: "merchant.update",
  by: "Dewi Wulandari",
  reason: null,
  changes: {},
  ...more,
});

export const aMerchantDetail = (row: Merchant, history: RecordEvent[] = [anEvent()]): MerchantDetail => ({
  row,
  groups: [],
  keys: { secret_used_at: null, old_secret_used_at: null },
  endpoint: { state: "working", failing_since: null, disabled_at: null, next_attempt_at: null, waiting: 0, failed: 0 },
  today: { deposits: 0, deposit_amount: "0.00", withdrawals: 0, withdrawal_amount: "0.00", open: 0 },
  history,
});
