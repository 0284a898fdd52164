/**
 * Each status and state of any record, with its hue and its icon; its text is `status.<name>` in every language. A status missing here is
 * written plainly; one that is `quiet` is how things are meant to be, and is drawn nowhere.
 */
export const statuses = {
  pending: { hue: "pending", icon: "pending" },
  process: { hue: "process", icon: "process" },
  approved: { hue: "approved", icon: "approved" },
  completed: { hue: "completed", icon: "completed" },
  rejected: { hue: "rejected", icon: "rejected" },
  expired: { hue: "expired", icon: "expired" },
  active: { hue: "approved", icon: "approved" },
  inactive: { hue: "expired", icon: "expired" },
  suspend: { hue: "rejected", icon: "rejected" },
  suspended: { hue: "rejected", icon: "rejected" },
  normal: { hue: "neutral", icon: "approved" },
  overuse: { hue: "pending", icon: "warn" },
  unmatched: { hue: "pending", icon: "pending" },
  matched: { hue: "completed", icon: "completed" },
  ignored: { hue: "expired", icon: "expired" },
  revoked: { hue: "expired", icon: "expired" },
  waiting: { hue: "pending", icon: "pending" },
  failing: { hue: "pending", icon: "warn" },
  failed: { hue: "rejected", icon: "rejected" },
  delivered: { hue: "approved", icon: "approved" },
  superseded: { hue: "expired", icon: "expired" },
  cancelled: { hue: "expired", icon: "expired" },
  production: { hue: "completed", icon: "flow" },
  test: { hue: "pending", icon: "gauge" },
  below: { hue: "critical", icon: "critical" },
  error: { hue: "rejected", icon: "warn" },
  up: { hue: "neutral", icon: "approved", quiet: true },
  maintenance: { hue: "pending", icon: "clock" },
  now: { hue: "pending", icon: "process" },
  planned: { hue: "neutral", icon: "clock" },
  ended: { hue: "completed", icon: "completed" },
  resting: { hue: "expired", icon: "clock" },
  /** Of the days of a report: not over yet, over and kept, over and not kept yet, and what does not add up. */
  live: { hue: "process", icon: "process" },
  closed: { hue: "expired", icon: "lock" },
  open: { hue: "pending", icon: "pending" },
  difference: { hue: "critical", icon: "critical" },
  "carry-over": { hue: "critical", icon: "critical" },
  critical: { hue: "critical", icon: "critical" },
} as const satisfies Record<string, { readonly hue: string; readonly icon: string; readonly quiet?: true }>;

export type StatusName = keyof typeof statuses;
