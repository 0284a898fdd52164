/** What rate limits count, in minutes since the beginning, as a small model knows it. */

export type Kind = "deposit" | "withdrawal";
export const scopes = ["account", "member"] as const;
export type Scope = (typeof scopes)[number];
export type Rule = "max_count" | "turnover" | "max_amount";

/** One scope's limits; without a window it has none. */
export interface ScopeLimits {
  readonly window: number | null;
  readonly max_count: number | null;
  readonly turnover: number | null;
  readonly max_amount: number | null;
}
export type Limits = Readonly<Record<Scope, ScopeLimits>>;

export interface Item {
  readonly uuid: string;
  readonly kind: Kind;
  readonly member: string;
  readonly amount: number;
  status: "pending" | "process" | "approved" | "rejected" | "expired";
  /** Minute of its approval. */
  approvedAt: number | null;
  /** The how manieth approval it was: several may fall into one minute. */
  approval: number;
}

export interface RatesModel {
  now: number;
  approvals: number;
  limits: Limits;
  on: boolean;
  /** In the order they were made. */
  readonly items: Item[];
}

export const isOpen = ({ status }: Item): boolean => status === "pending" || status === "process";

/** What counts of a scope's window, newest approval first, then what is open. A withdrawal has no account while it is open. */
export function counted(model: RatesModel, scope: Scope, kind: Kind, member: string, window: number): Item[] {
  const theirs = model.items.filter((item) => item.kind === kind && (scope === "account" || item.member === member));
  const approved = theirs.filter(({ approvedAt }) => approvedAt !== null && model.now - approvedAt < window);
  const open = theirs.filter((item) => isOpen(item) && !(scope === "account" && kind === "withdrawal"));
  return [...approved.toSorted((a, b) => b.approval - a.approval), ...open];
}

export interface Stop {
  readonly scope: Scope;
  readonly rule: Rule;
  readonly maximum: number;
  readonly window: number;
  /** The use that must leave the window; null: time alone gives nothing back. */
  readonly leaves: Item | null;
}

/** The limits one more transaction would break, `uses` being those it counts behind. */
function stopsOf(limits: ScopeLimits, scope: Scope, amount: number, uses: readonly Item[]): Stop[] {
  const { window, max_count, turnover, max_amount } = limits;
  if (window === null) return [];
  const stop = (rule: Rule, maximum: number, leaves: Item | null) => ({ scope, rule, maximum, window, leaves });
  const open = uses.filter(isOpen);
  const approved = uses.filter((one) => !isOpen(one));
  const stops: Stop[] = [];
  if (max_amount !== null && amount > max_amount) stops.push(stop("max_amount", max_amount, null));
  if (max_count !== null && uses.length >= max_count)
    stops.push(stop("max_count", max_count, approved[max_count - open.length - 1] ?? null));
  let total = amount + open.reduce((sum, one) => sum + one.amount, 0);
  if (turnover !== null && total > turnover) stops.push(stop("turnover", turnover, null));
  else if (turnover !== null) {
    for (const one of approved) {
      total += one.amount;
      if (total <= turnover) continue;
      stops.push(stop("turnover", turnover, one));
      break;
    }
  }
  return stops;
}

/** What stands in the way of a deposit, the longest first. */
export function depositStops(model: RatesModel, member: string, amount: number): Stop[] {
  if (!model.on) return [];
  const stops = scopes.flatMap((scope) => {
    const { window } = model.limits[scope];
    return window === null ? [] : stopsOf(model.limits[scope], scope, amount, counted(model, scope, "deposit", member, window));
  });
  const freesAt = ({ leaves, window }: Stop) => (leaves?.approvedAt == null ? Infinity : leaves.approvedAt + window);
  // within one minute of the model what was approved later leaves later
  const order = ({ leaves }: Stop) => (leaves?.approvedAt == null ? 0 : leaves.approval);
  return stops.toSorted(
    (a, b) => freesAt(b) - freesAt(a) || order(b) - order(a) || a.scope.localeCompare(b.scope) || a.rule.localeCompare(b.rule),
  );
}

/** Whether an open withdrawal may be paid: of its customer's open ones those made before it count. */
export function mayPay(model: RatesModel, item: Item): boolean {
  if (!model.on) return true;
  return scopes.every((scope) => {
    const limits = model.limits[scope];
    if (limits.window === null) return true;
    const before = counted(model, scope, "withdrawal", item.member, limits.window).filter(
      (one) => !isOpen(one) || model.items.indexOf(one) < model.items.indexOf(item),
    );
    return stopsOf(limits, scope, item.amount, before).length === 0;
  });
}

/** Used by each of a scope, as the usage tells it: who → kind → count, of these open, amount. Customers who used the account count. */
export function usage(model: RatesModel, scope: Scope): Record<string, { count: number; open: number; amount: number }> {
  const { window } = model.limits[scope];
  if (window === null) return {};
  const told: Record<string, { count: number; open: number; amount: number }> = {};
  for (const kind of ["deposit", "withdrawal"] as const) {
    const users = new Set(counted(model, "account", kind, "", window).map(({ member }) => member));
    for (const one of scope === "account" ? (users.size > 0 ? ["TILL"] : []) : users) {
      const uses = counted(model, scope, kind, one, window);
      told[`${one} ${kind}`] = {
        count: uses.length,
        open: uses.filter(isOpen).length,
        amount: uses.reduce((sum, { amount }) => sum + amount, 0),
      };
    }
  }
  return told;
}
