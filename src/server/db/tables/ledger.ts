import type { Generated } from "kysely";
import type { Instant, Numeric } from "./columns.ts";
import type { LedgerAccountKind } from "./kinds.ts";

/** The books. */
export interface LedgerTables {
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
    account_kind: Generated<LedgerAccountKind>;
    rare_kind: string | null;
    seq: string;
    group_id: string;
    currency: string;
    side: number;
    amount: Numeric;
    previous_balance: Numeric;
    balance: Numeric;
    created_at: Instant;
  };
}
