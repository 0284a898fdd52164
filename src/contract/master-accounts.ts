import { z } from "zod";
import { availabilityColumn, availabilityFields, OwnDowntimes } from "./availability.ts";
import { parseMoney } from "../values/money.ts";
import { inCurrency } from "./amounts.ts";
import { control, Linked } from "./controls.ts";
import { environments, providerStatuses } from "./merchant-providers.ts";
import { checkFailures, checkFields, CheckSettings, CreditCheck, Credentials, HeaderTemplate, TriedCheck } from "./provider-checks.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Amount, Code, Instant, Name, Uuid, Version } from "./wire.ts";

/** The statuses a person can set. */
export const masterAccountStatuses = ["active", "suspend"] as const;
/** critical: the balance is below the threshold. */
export const masterAccountStates = ["normal", "suspended", "critical"] as const;
/** Checks in a row that fail before an account counts as in error. */
export const missesToError = 3;

/** The house's account at a game provider. */
export const MasterAccount = z.object({
  uuid: Uuid,
  version: Version,
  /** The tenant it belongs to. */
  tenant_id: Uuid,
  currency: z.string(),
  code: z.string(),
  name: z.string(),
  upline: z.string().nullable(),
  status: z.enum(masterAccountStatuses),
  state: z.enum(masterAccountStates),
  ...availabilityFields,
  threshold: Amount,
  /** What the last check that succeeded has read; null: none has. */
  balance: Amount.nullable(),
  has_credit: z.boolean().nullable(),
  /** The last three checks, or more, failed. */
  is_error: z.boolean(),
  /** Checks in a row that failed, and why the last one did. */
  misses: z.int(),
  failure: z.enum(checkFailures).nullable(),
  last_checked_at: Instant.nullable(),
  last_notified_at: Instant.nullable(),
  enable_notification: z.boolean(),
  has_credentials: z.boolean(),
  ...CheckSettings.shape,
  check_headers: z.array(HeaderTemplate),
  created_at: Instant,
  updated_at: Instant,
});
export type MasterAccount = z.infer<typeof MasterAccount>;

export const MasterAccountDetail = z.object({
  row: MasterAccount,
  /** Its newest checks, at most `mostChecks`. */
  checks: z.array(CreditCheck),
  /** Merchants' set-ups whose games draw on it, by merchant: the first `mostDependents`, and how many there are. */
  dependents: z.array(
    z.object({ uuid: Uuid, name: z.string(), merchant: Linked, environment: z.enum(environments), status: z.enum(providerStatuses) }),
  ),
  dependent_count: z.int(),
  /** Its own downtimes that last or come next: the first `mostOwnDowntimes`. */
  downtimes: OwnDowntimes,
  history: z.array(RecordEvent),
});
export type MasterAccountDetail = z.infer<typeof MasterAccountDetail>;
export const mostChecks = 20;
export const mostDependents = 50;
/** Days of which the balance's course is told. */
export const courseDays = 14;

/** Code and currency are fixed after creation. */
const MasterAccountForm = z.strictObject({
  name: Name(120),
  upline: z.string().trim().max(120).meta(control("text")),
  threshold: inCurrency(Amount.refine((text) => (parseMoney(text) ?? -1n) >= 0n, "Must not be below zero").meta(control("amount"))),
  enable_notification: z.boolean().meta(control("switch")),
  ...checkFields,
  credentials: Credentials,
});
export type MasterAccountForm = z.infer<typeof MasterAccountForm>;

/** Yes and no, as a filter of a truth value has them. */
const yesOrNo = ["true", "false"] as const;

export const masterAccountColumns = defineColumns({
  code: { filter: "part", most: 40, sort: true, find: "part" },
  name: { filter: "part", most: 120, sort: true, find: "part" },
  upline: { filter: "part", most: 120, sort: true, find: "part" },
  state: { filter: "choices", of: masterAccountStates },
  availability: availabilityColumn,
  is_error: { filter: "choices", of: yesOrNo },
  has_credit: { filter: "choices", of: yesOrNo },
  balance: { filter: "amount", sort: true, sum: true },
  threshold: { filter: "amount", sort: true },
  last_checked_at: { filter: "time", sort: true },
  last_notified_at: { filter: "time" },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

const base = "/service/game-provider/api/tenant/v1/master-accounts";
const params = z.strictObject({ uuid: Uuid });

const recordOnes = recordRoutes(base, "gps.provider.master-accounts", {
  one: "MasterAccount",
  many: "MasterAccounts",
  currency: true,
  columns: masterAccountColumns,
  row: MasterAccount,
  detail: MasterAccountDetail,
  create: MasterAccountForm.extend({
    code: Code,
  }),
  update: MasterAccountForm,
  status: masterAccountStatuses,
  reasoned: ["suspend"],
  remove: true,
});

/** Most accounts of one job. */
export const mostChecked = 200;

/** A job of checks: how far it is, and what it came to. */
export const CheckRun = z.object({
  uuid: Uuid,
  state: z.enum(["waiting", "running", "done", "failed", "cancelled"]),
  total: z.int(),
  /** Accounts that were asked, and those of them whose check failed. */
  done: z.int(),
  failed: z.int(),
});
export type CheckRun = z.infer<typeof CheckRun>;

const check = { permission: "gps.provider.master-accounts.check-credit", currency: true } as const;

export const masterAccountRoutes = defineRoutes({
  ...recordOnes,
  /** Asks the providers of these accounts now, in a job, beside each other; one that takes long keeps no other waiting. */
  checkMasterAccounts: {
    method: "POST",
    path: `${base}/check`,
    ...check,
    body: z.strictObject({ uuids: z.array(Uuid).min(1).max(mostChecked) }),
    answer: CheckRun,
  },
  /** One's own job, of whichever currency. */
  readCreditCheck: { method: "GET", path: `${base}/check/{uuid}`, permission: check.permission, params, answer: CheckRun },
  cancelCreditCheck: {
    method: "POST",
    path: `${base}/check/{uuid}/cancel`,
    permission: check.permission,
    params,
    body: z.strictObject({}),
    answer: CheckRun,
  },
  /**
   * Asks a provider once as a form says, and writes nothing but who did it. Empty credentials of an account (`uuid`) are those it keeps,
   * which go to its own address only.
   */
  tryCreditCheck: {
    method: "POST",
    path: `${base}/try`,
    ...check,
    stepUp: true,
    body: CheckSettings.extend({ uuid: Uuid.nullable(), credentials: Credentials }),
    answer: TriedCheck,
  },
  /** Balances over the last days, oldest first: at most one reading each quarter of an hour. */
  readMasterAccountBalances: {
    method: "GET",
    path: `${base}/{uuid}/balances`,
    permission: "gps.provider.master-accounts.view",
    currency: true,
    params,
    answer: z.array(z.object({ at: Instant, balance: Amount })),
  },
  /** Answers the credentials as they were typed. Audited. */
  viewMasterCredentials: {
    method: "POST",
    path: `${base}/{uuid}/credentials/view`,
    permission: "gps.provider.master-accounts.view-credentials",
    currency: true,
    stepUp: true,
    params,
    answer: z.object({ secret: z.string() }),
    refuses: ["credentials.none"],
  },
});
