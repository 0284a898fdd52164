import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { Instant, Uuid } from "./wire.ts";

/** A counter's recent course: change over 15 minutes, 15 one-minute points, time of the oldest row. */
const Trend = z.object({
  change: z.int(),
  points: z.array(z.int()),
  oldest_at: Instant.nullable(),
});

export const NotificationDetails = z.object({
  processDepositCount: z.int(),
  pendingWithdrawalCount: z.int(),
  criticalAccountCount: z.int(),
  /** Each is present only when the caller may see it. */
  deposits: Trend.optional(),
  withdrawals: Trend.optional(),
  accounts: Trend.optional(),
  /** Merchants' callback addresses that are sent nothing any more after days of failure; only for who may see merchants. */
  disabledEndpointCount: z.int().optional(),
  /** Score watchers that give the alarm; only for who may see them. */
  alarmedWatcherCount: z.int().optional(),
  /** Hand-overs of others that the caller has not seen. */
  unreadHandOverCount: z.int().optional(),
  /** Downtimes that last now, and when the next one begins; only for who may see them. */
  downtimes: z.object({ active: z.int(), next_at: Instant.nullable() }).optional(),
  /** The caller's open claims of both kinds, and how many are allowed. */
  claims: z.object({ open: z.int(), limit: z.int() }).optional(),
  /** What each operator has claimed, and their decisions of the last 60 minutes, of the kinds the caller may see. */
  operators: z.array(z.object({ name: z.string(), doing: z.string().nullable(), decided: z.int() })).optional(),
  today: z
    .object({
      decided: z.int(),
      median_seconds: z.int().nullable(),
      p95_seconds: z.int().nullable(),
      recalled: z.int(),
      rejected: z.int(),
      reasons: z.array(z.object({ code: z.string(), count: z.int() })),
    })
    .optional(),
});
export type NotificationDetails = z.infer<typeof NotificationDetails>;

/** What an event on the tenant's channel carries (specification, point 3), and which rows changed. */
export const ChangeEvent = z.object({
  process_count: z.int(),
  pending_count: z.int(),
  critical_account_count: z.int(),
  currency: z.string().optional(),
  uuids: z.array(Uuid),
  more: z.boolean().optional(),
  at: Instant,
});
export type ChangeEvent = z.infer<typeof ChangeEvent>;

/** The right to each count, and to the event of its rows (specification, point 7). */
export const counterPermissions = {
  deposit: "pas.transaction.deposits.view",
  withdraw: "pas.transaction.withdrawals.view",
  paymentAccount: "pas.account.accounts.view",
} as const;
export type CounterName = keyof typeof counterPermissions;

/** What changes without any of the three, too: bank lines by an import, a notice, a rule; master accounts and watchers by checks; callbacks by attempts. */
export const eventPermissions = {
  ...counterPermissions,
  bankLine: "pas.transaction.bank-transactions.view",
  masterAccount: "gps.provider.master-accounts.view",
  scoreWatcher: "gps.provider.score-watchers.view",
  /** A watcher gives the alarm: what is left in its account is too little, or not known any more. */
  scoreAlarm: "gps.provider.score-watchers.view",
  /** The set-ups and games of merchants at providers, by downtime that begins or ends. */
  merchantProvider: "gps.provider.merchant-providers.view",
  providerGame: "gps.provider.games.view",
  downtime: "gps.provider.downtime.view",
  /** A downtime is near, has begun or has ended. */
  downtimeNotice: "gps.provider.downtime.view",
  /** A callback was tried, or asked for: named by its own uuid. */
  callback: "pas.merchant.transactions.view",
} as const;
export type ChangeEventName = keyof typeof eventPermissions;

/** Told by the embedded endpoint to one socket alone, on whichever channel it has joined: what its user may do here has changed. */
export const rightsEvent = "rights";

export const notificationRoutes = defineRoutes({
  readNotificationDetails: {
    method: "GET",
    path: "/service/payment/api/tenant/v1/notification/details",
    permission: [counterPermissions.paymentAccount, counterPermissions.withdraw, counterPermissions.deposit],
    currency: true,
    answer: NotificationDetails,
  },
  authorizeChannel: {
    method: "POST",
    path: "/service/payment/api/tenant/v1/realtime/auth",
    permission: [
      eventPermissions.paymentAccount,
      eventPermissions.withdraw,
      eventPermissions.deposit,
      eventPermissions.bankLine,
      eventPermissions.masterAccount,
      eventPermissions.scoreWatcher,
      eventPermissions.merchantProvider,
      eventPermissions.providerGame,
      eventPermissions.downtime,
      eventPermissions.callback,
    ],
    currency: true,
    body: z.strictObject({ socket_id: z.string().max(40), channel_name: z.string().max(100) }),
    answer: z.object({ auth: z.string() }),
    refuses: ["realtime.refused"],
  },
  /** Of `private-rights.{tenantId}`: for whoever may hear of none of these, and so of nothing but a change of their own rights. */
  authorizeRightsChannel: {
    method: "POST",
    path: "/service/centralize-authenticate/api/tenant/v1/realtime/auth",
    permission: "signed-in",
    body: z.strictObject({ socket_id: z.string().max(40), channel_name: z.string().max(100) }),
    answer: z.object({ auth: z.string() }),
    refuses: ["realtime.refused"],
  },
});
