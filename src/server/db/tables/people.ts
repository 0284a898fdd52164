import type { ColumnType, Generated } from "kysely";
import type { Instant, NullableInstant } from "./columns.ts";

/** Tenants, people and how they sign in. */
export interface PeopleTables {
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
    status: Generated<"pending" | "active" | "inactive" | "suspended">;
    permissions: Generated<string[]>;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
  invitations: {
    tenant_id: string;
    id: Generated<string>;
    user_id: string;
    hash: Buffer;
    by_user: string;
    is_new: boolean;
    made_at: Instant;
    expires_at: Instant;
    ended_at: NullableInstant;
    ended_why: "accepted" | "withdrawn" | "replaced" | null;
  };
  user_groups: {
    tenant_id: string;
    id: Generated<string>;
    code: string;
    name: string;
    permissions: Generated<string[]>;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
  membership_groups: { tenant_id: string; user_id: string; group_id: string };
  sessions: {
    id: Generated<string>;
    user_id: string;
    binding: Buffer | null;
    started_at: Instant;
    expires_at: Instant;
    ended_at: NullableInstant;
    ended_why: "signed-out" | "password-changed" | "password-reset" | "two-factor-reset" | "token-reused" | "suspended" | "removed" | null;
    ended_by: string | null;
    ended_ip: string | null;
    ended_agent: string | null;
    ip: string | null;
    agent: string | null;
    proved_at: Instant;
  };
  session_exits: { tenant_id: string; session_id: string; user_id: string; by_user: string; at: Instant };
  two_factor: { user_id: string; secret: Buffer | null; pending: Buffer | null; pending_until: NullableInstant };
  recovery_codes: { user_id: string; hash: Buffer; used_at: NullableInstant };
  sign_in_challenges: { hash: Buffer; user_id: string; expires_at: Instant; used_at: NullableInstant };
  password_requests: { id: Generated<string>; email: string; language: string };
  password_resets: { hash: Buffer; user_id: string; expires_at: Instant; used_at: NullableInstant };
  refresh_tokens: { hash: Buffer; session_id: string; issued_at: Instant; used_at: NullableInstant };
  throttles: { key: string; count: number; resets_at: Instant };
  realtime_sockets: { socket_id: string; user_id: string; tenant_id: string; session_id: string; at: Instant };
  first_steps: { tenant_id: string; open: Generated<boolean>; skipped: Generated<string[]>; updated_at: Instant };
}
