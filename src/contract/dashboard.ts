import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, Uuid } from "./wire.ts";

/** Approved within an hour of the day, or within the day. */
const Flow = z.object({ count: z.int(), amount: Amount });

/** The day up to now, or yesterday up to the same time. */
const DayFigures = z.object({
  deposits: Flow,
  withdrawals: Flow,
  /** Of deposits and withdrawals together. */
  fees: Amount,
  /** Approved among the decided withdrawals, in percent with one decimal; null: none was decided. */
  approval_rate: z.number().nullable(),
  rejected: z.int(),
  /** Seconds from creation to approval of a withdrawal. */
  median_seconds: z.int().nullable(),
  p95_seconds: z.int().nullable(),
});
export type DayFigures = z.infer<typeof DayFigures>;

const Hour = z.object({
  /** 0–23, in the currency's zone. */
  hour: z.int(),
  deposits: Flow,
  withdrawals: Flow,
  /** The whole of the same hour yesterday. */
  deposits_yesterday: Amount,
  median_seconds: z.int().nullable(),
  p95_seconds: z.int().nullable(),
});
export type DashboardHour = z.infer<typeof Hour>;

export const Dashboard = z.object({
  /** YYYY-MM-DD in the currency's zone. */
  day: z.string(),
  as_of: Instant,
  today: DayFigures,
  yesterday: DayFigures,
  /** All 24 hours of the day, future ones included. */
  hours: z.array(Hour),
  /** Open withdrawals by age; `to` null: no upper bound. Rows older than `amber` and `red` minutes wait too long. */
  queue: z.object({
    open: z.int(),
    oldest_at: Instant.nullable(),
    amber_minutes: z.int(),
    red_minutes: z.int(),
    ages: z.array(z.object({ from: z.number(), to: z.number().nullable(), count: z.int() })),
  }),
  /** The day's largest by volume. */
  merchants: z.array(z.object({ uuid: Uuid, name: z.string(), count: z.int(), amount: Amount, approval_rate: z.number().nullable() })),
  /** Accounts below their threshold, the longest there first. */
  accounts: z.array(z.object({ uuid: Uuid, code: z.string(), balance: Amount, threshold: Amount, since: Instant.nullable() })),
  /** Callbacks of the last 24 hours by merchant, those with callbacks still waiting first. */
  callbacks: z.array(
    z.object({
      uuid: Uuid,
      name: z.string(),
      sent: z.int(),
      /** Delivered at the first attempt, in percent; null: nothing was attempted. */
      first_try: z.number().nullable(),
      waiting: z.int(),
      oldest_at: Instant.nullable(),
    }),
  ),
  operators: z.array(z.object({ name: z.string(), doing: z.string().nullable(), decided: z.int() })),
});
export type Dashboard = z.infer<typeof Dashboard>;

export const dashboardRoutes = defineRoutes({
  readDashboard: {
    method: "GET",
    path: "/service/payment/api/tenant/v1/dashboard",
    permission: "dashboard.view",
    currency: true,
    reads: "much",
    answer: Dashboard,
  },
});
