import type { ColumnType, Generated } from "kysely";
import type { TransactionStatus } from "../../contract/transactions.ts";

/** Amounts arrive as decimal text and are sent as such; instants as Date; bigints as text. */
type Numeric = string;
type Instant = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Json<T> = ColumnType<T, string, string>;

export interface Tables {
  tenants: {
    id: Generated<string>;
    code: string;
    name: string;
    status: Generated<"active" | "suspended">;
    colour: Generated<string>;
    settings: ColumnType<unknown, string | undefined, string>;
    version: Generated<number>;
    created_at: Instant;
  };
  currencies: {
    tenant_id: string;
    code: string;
    name: string;
    minor_digits: Generated<number>;
    country: string;
    zone: Generated<string>;
    zone_minutes: Generated<number>;
    position: Generated<number>;
  };
  users: {
    id: Generated<string>;
    email: string;
    name: string;
    password_hash: string | null;
    status: Generated<"active" | "suspended">;
    force_reset_password: Generated<boolean>;
    last_login_at: NullableInstant;
    last_login_ip: string | null;
    created_at: Instant;
    updated_at: Instant;
  };
  memberships: {
    tenant_id: string;
    user_id: string;
    status: Generated<"active" | "inactive" | "suspended">;
    permissions: Generated<string[]>;
    version: Generated<number>;
    created_at: Instant;
  };
  user_groups: {
    tenant_id: string;
    id: Generated<string>;
    code: string;
    name: string;
    permissions: Generated<string[]>;
    version: Generated<number>;
  };
  membership_groups: { tenant_id: string; user_id: string; group_id: string };
  sessions: {
    id: Generated<string>;
    user_id: string;
    binding: Buffer | null;
    started_at: Instant;
    expires_at: Instant;
    ended_at: NullableInstant;
    ended_why: string | null;
    ip: string | null;
    agent: string | null;
    proved_at: Instant;
  };
  two_factor: { user_id: string; secret: Buffer | null; pending: Buffer | null; pending_until: NullableInstant };
  recovery_codes: { user_id: string; hash: Buffer; used_at: NullableInstant };
  sign_in_challenges: { hash: Buffer; user_id: string; expires_at: Instant; used_at: NullableInstant };
  password_requests: { id: Generated<string>; email: string; language: string };
  password_resets: { hash: Buffer; user_id: string; expires_at: Instant; used_at: NullableInstant };
  mails: {
    tenant_id: string;
    id: Generated<string>;
    recipient: string;
    subject: string;
    body: Buffer | null;
    language: string;
    shared: boolean;
    state: "waiting" | "sent" | "failed" | "kept";
    attempts: Generated<number>;
    next_attempt_at: NullableInstant;
    leased_until: NullableInstant;
    error: string | null;
    created_at: Instant;
  };
  refresh_tokens: { hash: Buffer; session_id: string; issued_at: Instant; used_at: NullableInstant };
  throttles: { key: string; count: number; resets_at: Instant };
  realtime_sockets: { socket_id: string; user_id: string; tenant_id: string; session_id: string; at: Instant };
  ledger_accounts: {
    tenant_id: string;
    id: Generated<string>;
    kind: LedgerAccountKind;
    currency: string;
    owner_id: string | null;
    side: Generated<number>;
    balance: Generated<Numeric>;
    last_seq: Generated<string>;
  };
  ledger_groups: {
    tenant_id: string;
    id: Generated<string>;
    kind: string;
    currency: string;
    transaction_id: string | null;
    by_user: string | null;
    reason: string | null;
    created_at: Instant;
  };
  ledger_entries: {
    tenant_id: string;
    account_id: string;
    seq: string;
    group_id: string;
    currency: string;
    side: number;
    amount: Numeric;
    previous_balance: Numeric;
    balance: Numeric;
    created_at: Instant;
  };
  rate_limit_groups: {
    tenant_id: string;
    id: Generated<string>;
    name: string;
    account_window_minutes: number | null;
    account_max_count: number | null;
    account_turnover: Numeric | null;
    account_max_amount: Numeric | null;
    member_window_minutes: number | null;
    member_max_count: number | null;
    member_turnover: Numeric | null;
    member_max_amount: Numeric | null;
    version: Generated<number>;
  };
  merchants: {
    tenant_id: string;
    id: Generated<string>;
    code: string;
    name: string;
    currency: string;
    status: Generated<"active" | "inactive" | "suspended">;
    deposit_rate: Generated<Numeric>;
    withdrawal_rate: Generated<Numeric>;
    settlement_rate: Generated<Numeric>;
    charges_borne_by: Generated<ChargeBearer>;
    website_url: string | null;
    backoffice_url: string | null;
    callback_url: string | null;
    whitelist_ips: Generated<string[]>;
    api_key: string;
    secret: Buffer;
    previous_secret: Buffer | null;
    previous_secret_until: NullableInstant;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
  payment_accounts: {
    tenant_id: string;
    id: Generated<string>;
    code: string;
    bank: string;
    account_number: string;
    holder: string;
    currency: string;
    type: Generated<"normal" | "atm" | "backup">;
    purpose: Generated<"deposit" | "withdrawal" | "both">;
    method: Generated<"bank_transfer" | "e_wallet" | "qr">;
    status: Generated<"active" | "inactive" | "suspend">;
    hold_amount: Generated<Numeric>;
    hold_reason: string | null;
    reserve_amount: Generated<Numeric>;
    threshold: Generated<Numeric>;
    critical: Generated<boolean>;
    critical_since: NullableInstant;
    deposit_minimum: Numeric | null;
    deposit_maximum: Numeric | null;
    withdrawal_minimum: Numeric | null;
    withdrawal_maximum: Numeric | null;
    deposit_daily_limit: Numeric | null;
    deposit_monthly_limit: Numeric | null;
    withdrawal_daily_limit: Numeric | null;
    withdrawal_monthly_limit: Numeric | null;
    charges_type: Generated<"fixed" | "percent">;
    charges_value: Generated<Numeric>;
    rate_limit_group_id: string | null;
    ledger_account_id: string;
    last_used_at: NullableInstant;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
  payment_groups: { tenant_id: string; id: Generated<string>; name: string; currency: string; version: Generated<number> };
  payment_group_accounts: { tenant_id: string; group_id: string; payment_account_id: string };
  payment_group_merchants: { tenant_id: string; group_id: string; merchant_id: string };
  transactions: {
    tenant_id: string;
    id: Generated<string>;
    kind: TransactionKind;
    txn_no: string;
    merchant_id: string;
    merchant_txn_no: string | null;
    reference_no: string | null;
    source: Generated<"api" | "manual">;
    status: TransactionStatus;
    version: Generated<number>;
    currency: string;
    method: string;
    member: string;
    customer_name: string;
    bank: string | null;
    account_number: string | null;
    holder: string | null;
    amount: Numeric;
    fee: Generated<Numeric>;
    charges: Generated<Numeric>;
    charges_type: Generated<"fixed" | "percent">;
    charges_borne_by: Generated<ChargeBearer>;
    final_amount: Numeric;
    merchant_amount: Numeric;
    previous_balance: Numeric | null;
    payment_account_id: string | null;
    payment_date: NullableInstant;
    limit_day: string | null;
    events: Generated<number>;
    recalls: Generated<number>;
    claimed_by: string | null;
    claimed_at: NullableInstant;
    claim_until: NullableInstant;
    deferred_until: NullableInstant;
    deferred_by: string | null;
    first_approved_by: string | null;
    first_approved_at: NullableInstant;
    first_account_id: string | null;
    recallable_until: NullableInstant;
    expires_at: NullableInstant;
    created_at: Instant;
    processed_at: NullableInstant;
    processed_by: string | null;
    approved_at: NullableInstant;
    approved_by: string | null;
    rejected_at: NullableInstant;
    rejected_by: string | null;
    reject_reason: string | null;
    expired_at: NullableInstant;
    completed_at: NullableInstant;
    last_action_at: Instant;
    last_action_by: string | null;
    remark: string | null;
    receipt_id: string | null;
  };
  transaction_events: {
    tenant_id: string;
    transaction_id: string;
    n: number;
    kind: TransactionKind;
    act: string;
    from_status: string;
    to_status: string;
    at: Instant;
    by_user: string | null;
    actor: string;
    reason: string | null;
  };
  decisions: {
    tenant_id: string;
    transaction_id: string;
    round: number;
    outcome: "approved" | "rejected" | "expired";
    event_n: number;
    by_user: string | null;
    at: Instant;
  };
  limit_usage: {
    tenant_id: string;
    payment_account_id: string;
    kind: TransactionKind;
    period: "day" | "month";
    starts: string;
    used: Generated<Numeric>;
  };
  outbox: {
    tenant_id: string;
    id: Generated<string>;
    merchant_id: string;
    transaction_id: string;
    event_n: number;
    url: string | null;
    body: string;
    state: Generated<"pending" | "delivered" | "failed" | "cancelled" | "superseded">;
    attempts: Generated<number>;
    next_attempt_at: NullableInstant;
    leased_until: NullableInstant;
    created_at: Instant;
    delivered_at: NullableInstant;
  };
  callback_endpoints: {
    tenant_id: string;
    merchant_id: string;
    failures: Generated<number>;
    room: Generated<number>;
    paused_until: NullableInstant;
    turn_at: Instant;
  };
  callback_attempts: {
    tenant_id: string;
    outbox_id: string;
    n: number;
    at: Instant;
    status: number | null;
    milliseconds: number;
    answer: string | null;
    error: string | null;
    by_user: string | null;
  };
  idempotency_keys: {
    tenant_id: string;
    actor: string;
    key: string;
    fingerprint: Buffer;
    status: number | null;
    answer: Json<unknown> | null;
    packed: Buffer | null;
    transaction_id: string | null;
    event_n: number | null;
    created_at: Instant;
  };
  seen_signatures: { tenant_id: string; signature: Buffer; at: Instant };
  audit_entries: {
    tenant_id: string;
    id: Generated<string>;
    at: Instant;
    actor_kind: "user" | "merchant" | "system";
    actor_id: string | null;
    actor_name: string;
    act: string;
    entity: string;
    entity_id: string | null;
    event_n: number | null;
    before: Json<unknown> | null;
    after: Json<unknown> | null;
    reason: string | null;
    ip: string | null;
    request_id: string | null;
  };
  audit_unsealed: { tenant_id: string; entry_id: string };
  audit_chain: { tenant_id: string; seq: string; entry_id: string; previous: Buffer; hash: Buffer };
  audit_heads: { tenant_id: string; seq: string; hash: Buffer };
}

export type TransactionKind = "deposit" | "withdrawal";
type ChargeBearer = "merchant" | "house";
export type LedgerAccountKind =
  | "wallet"
  | "hold"
  | "payment-account"
  | "fee-income"
  | "bank-charges"
  | "adjustment"
  | "settlement"
  | "suspense";
