import type { Generated } from "kysely";
import type { Instant, Json } from "./columns.ts";

/** Who did what, chained. */
export interface AuditTables {
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
