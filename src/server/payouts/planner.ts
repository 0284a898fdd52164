import type { Money } from "../../values/money.ts";

/** An account that could pay a withdrawal if that were the only one. */
export interface Option {
  /** Its place among the rooms. */
  readonly account: number;
  readonly charges: Money;
  /** What the merchant's purse must add to what is held for the withdrawal. */
  readonly extra: Money;
  /** At the payee's bank. */
  readonly near: boolean;
}

export interface Payout {
  readonly amount: Money;
  /** The merchant's place among the purses. */
  readonly purse: number;
  /** The operator chose its account: it is its only option, and goes before all others. */
  readonly pinned: boolean;
  readonly options: readonly Option[];
}

/** What one account has left. */
export interface Room {
  /** For amounts with their charges: of its payable balance, its day and its month, the least. */
  readonly money: Money;
  /** For amounts, and for their number, in its rate limit's window; null: no limit. */
  readonly turnover: Money | null;
  readonly count: number | null;
}

export interface Problem {
  readonly payouts: readonly Payout[];
  /** In order of preference. */
  readonly rooms: readonly Room[];
  /** What each merchant's wallet has for charges above what is held. */
  readonly purses: readonly Money[];
}

/** What is filled first where not everything can be. */
export type Prefer = "number" | "sum";

/** The option each payout is paid by; null: it cannot be paid beside the others. */
export function spread({ payouts, rooms, purses }: Problem, prefer: Prefer): (Option | null)[] {
  const left = rooms.map((room) => ({ ...room }));
  const purse = [...purses];
  const answer = payouts.map((): Option | null => null);
  const small = (a: number, b: number) => {
    const [first, second] = [payouts[a]?.amount ?? 0n, payouts[b]?.amount ?? 0n];
    return first < second ? -1 : first > second ? 1 : a - b;
  };
  const order = [...payouts.keys()].toSorted((a, b) => (prefer === "number" ? small(a, b) : small(b, a)));
  for (const pinned of [true, false])
    for (const at of order) {
      const payout = payouts[at];
      if (!payout || payout.pinned !== pinned) continue;
      const { amount, purse: owner, options } = payout;
      const option = options.find(({ account, charges, extra }) => {
        const room = left[account];
        if (!room || extra > (purse[owner] ?? 0n)) return false;
        return room.money >= amount + charges && (room.turnover ?? amount) >= amount && (room.count ?? 1) >= 1;
      });
      const room = option && left[option.account];
      if (!option || !room) continue;
      left[option.account] = {
        money: room.money - amount - option.charges,
        turnover: room.turnover === null ? null : room.turnover - amount,
        count: room.count === null ? null : room.count - 1,
      };
      purse[owner] = (purse[owner] ?? 0n) - option.extra;
      answer[at] = option;
    }
  return answer;
}
