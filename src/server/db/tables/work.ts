import type { ColumnType, Generated } from "kysely";
import type { StoredExport } from "../../../contract/exports.ts";
import type { Instant, Json, NullableInstant } from "./columns.ts";

/** What is sent, stored or done later: mails, files, callbacks, jobs. */
export interface WorkTables {
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
  file_uploads: {
    tenant_id: string;
    id: string;
    begun_at: Instant;
    is_given_up: ColumnType<boolean, boolean | undefined, boolean>;
  };
  stored_files: {
    tenant_id: string;
    id: string;
    bytes: Buffer;
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
  jobs: {
    tenant_id: string;
    id: Generated<string>;
    kind: string;
    queued_as: string;
    state: Generated<"waiting" | "running" | "done" | "failed" | "cancelled">;
    attempt: Generated<number>;
    done: Generated<string>;
    total: string | null;
    failure: string | null;
    started_by: string | null;
    created_at: Instant;
    began_at: NullableInstant;
    ended_at: NullableInstant;
  };
  exports: {
    tenant_id: string;
    id: string;
    user_id: string;
    screen: string;
    currency: string | null;
    request: Json<StoredExport>;
    name: string | null;
    rows: string | null;
    bytes: string | null;
    as_of: NullableInstant;
    file: string | null;
    created_at: Instant;
    expires_at: Instant;
  };
  export_parts: { tenant_id: string; export_id: string; file: string; n: number; stored_as: string; bytes: number };
}
