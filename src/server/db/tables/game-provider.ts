import type { Generated, GeneratedAlways } from "kysely";
import type { HeaderTemplate } from "../../../contract/provider-checks.ts";
import type { Instant, Json, NullableInstant, Numeric } from "./columns.ts";

/** The house's accounts at game providers, and what merchants have there. */
export interface GameProviderTables {
  master_accounts: {
    tenant_id: string;
    id: Generated<string>;
    currency: string;
    code: string;
    name: string;
    upline: string | null;
    status: Generated<"active" | "suspend">;
    threshold: Generated<Numeric>;
    critical: Generated<boolean>;
    critical_since: NullableInstant;
    enable_notification: Generated<boolean>;
    last_notified_at: NullableInstant;
    require_proxy: Generated<boolean>;
    check_url: string;
    check_method: Generated<"GET" | "POST">;
    check_headers: Json<HeaderTemplate[]>;
    check_body: string | null;
    timeout_seconds: Generated<number>;
    proxy_url: string | null;
    balance_pointer: string;
    credit_pointer: string | null;
    currency_pointer: string | null;
    success_pointer: string | null;
    success_value: string | null;
    credentials: Buffer | null;
    balance: Numeric | null;
    has_credit: boolean | null;
    last_checked_at: NullableInstant;
    misses: Generated<number>;
    failure: string | null;
    is_error: GeneratedAlways<boolean>;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
  master_account_checks: {
    tenant_id: string;
    id: Generated<string>;
    master_account_id: string;
    at: Instant;
    milliseconds: number;
    http_status: number | null;
    failure: string | null;
    about: string | null;
    balance: Numeric | null;
    has_credit: boolean | null;
    answer: string | null;
    job_id: string | null;
    by_user: string | null;
  };
}
