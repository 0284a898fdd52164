import { expect, test } from "vitest";
import { retained } from "../../../src/server/jobs/retention.ts";
import { testDatabase } from "../../support/database.ts";

const db = testDatabase();

/** What the house must be able to show of its money, for ever: as many rows as there was work. */
const history = [
  "account_days",
  "audit_chain",
  "audit_entries",
  "bank_lines",
  "bank_matches",
  "callback_attempts",
  "decisions",
  "ledger_entries",
  "ledger_groups",
  "limit_usage",
  "merchant_days",
  "outbox",
  "payout_file_rows",
  "payout_files",
  "receipts",
  "search_terms",
  "stored_files",
  "transaction_events",
  "transactions",
  "transfers",
];

/** As many rows as somebody has set up, people, records and preferences, and as a release has. */
const settings = [
  "audit_heads",
  "bank_column_mappings",
  "bank_payers",
  "bank_rules",
  "callback_endpoints",
  "currencies",
  "downtimes",
  "first_steps",
  "functions",
  "hand_over_readers",
  "hand_overs",
  "installation",
  "ledger_accounts",
  "master_accounts",
  "membership_groups",
  "memberships",
  "merchant_providers",
  "merchants",
  "migrations",
  "payment_accounts",
  "payment_group_accounts",
  "payment_group_merchants",
  "payment_groups",
  "payout_templates",
  "provider_games",
  "rate_limit_groups",
  "recovery_codes",
  "saved_views",
  "score_watchers",
  "tenants",
  "transitions",
  "user_groups",
  "user_preferences",
  "users",
  "vendor_categories",
  "vendor_items",
  "vendors",
  "view_places",
];

/** Emptied by what they are for, not by age. */
const passing: Readonly<Record<string, string>> = {
  account_day_parts: "of days that are open",
  audit_unsealed: "sealing takes its rows away",
  bank_import_files: "go with their import",
  bank_line_turns: "a line's turn ends with its attempt",
  decided_day_parts: "of days that are open",
  export_parts: "go with their export",
  exports: "removed a while after they ended (exports/removal.ts)",
  file_uploads: "end with their upload, or with the search for files nobody names",
  game_import_lines: "go with their import",
  merchant_day_parts: "of days that are open",
  merchant_decided_parts: "of days that are open",
  password_requests: "taken when they are answered",
  session_exits: "go with their session",
  two_factor_steps: "the last few of each person",
};

test("every table is history, set up by somebody, passing or kept from growing by age", async () => {
  const { rows } = await db.owner.query<{ name: string }>(
    "select c.relname as name from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace",
  );
  const known = [...history, ...settings, ...Object.keys(passing), ...retained];
  expect(new Set(known).size, "a table is of one kind").toBe(known.length);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});
