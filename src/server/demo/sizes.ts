import { money } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import type { Book, BookAccount } from "./books.ts";
import type { Past } from "./history.ts";
import type { PastTransfer } from "./transfers.ts";
import { transferDay, transferPostings, transferUses } from "./transfer-rows.ts";

/** The opening balance an account must have had, and plausible limits, derived from its use. */
export interface AccountSize {
  readonly opening: Money;
  readonly balance: Money;
  readonly reserve: Money;
  readonly threshold: Money;
  readonly critical: boolean;
  readonly depositDaily: Money;
  readonly depositMonthly: Money;
  readonly withdrawalDaily: Money;
  readonly withdrawalMonthly: Money;
}

interface Movement {
  readonly at: number;
  readonly by: Money;
}

const larger = (a: Money, b: Money) => (a > b ? a : b);

/** Rounds up to so many significant figures: "260000" to two. */
function roundUp(value: Money, figures = 2): Money {
  const step = 10n ** BigInt(Math.max(String(value).length - figures, 4));
  return ((value + step - 1n) / step) * step;
}

/** The minimum and the final value of a balance that starts at zero. */
function balanceCourse(movements: Movement[]): { lowest: Money; last: Money } {
  let [lowest, sum] = [0n, 0n];
  for (const { by } of movements.sort((a, b) => a.at - b.at)) {
    sum += by;
    if (sum < lowest) lowest = sum;
  }
  return { lowest, last: sum };
}

/** Opening balances of the merchants' wallets, by ledger account. */
export function walletOpenings(book: Book, past: readonly Past[], transfers: readonly PastTransfer[]): Map<string, Money> {
  const movements = new Map<string, Movement[]>(book.merchants.map((merchant) => [merchant.walletId, []]));
  for (const one of past) {
    const list = movements.get(one.merchant.walletId);
    if (one.kind === "withdrawal") {
      list?.push({ at: one.createdAt, by: -(one.amount + one.fee) });
      if (one.status === "rejected" || one.status === "expired") list?.push({ at: one.decidedAt ?? 0, by: one.amount + one.fee });
    } else if (one.status === "approved" || one.status === "completed") list?.push({ at: one.decidedAt ?? 0, by: one.amount - one.fee });
  }
  for (const { at, legs } of transfers.flatMap(transferPostings))
    for (const [account, by] of legs) movements.get(account)?.push({ at, by });
  const floor = money(String(book.facts.median * 120));
  return new Map([...movements].map(([id, list]) => [id, roundUp(floor - balanceCourse(list).lowest)]));
}

/** Sizes by payment account. `now` and the zone determine today. */
export function accountSizes(book: Book, past: readonly Past[], transfers: readonly PastTransfer[], now: number): Map<string, AccountSize> {
  const local = (at: number) => new Date(at + book.facts.zoneMinutes * 60_000).toISOString().slice(0, 10);
  const today = local(now);
  const movements = new Map<string, Movement[]>();
  const used = new Map<string, Money>();
  const use = (account: BookAccount, kind: string, period: string, by: Money) => {
    const key = `${account.id} ${kind} ${period}`;
    used.set(key, (used.get(key) ?? 0n) + by);
  };
  for (const one of past) {
    if (!one.account) continue;
    const settled = one.status === "approved" || one.status === "completed";
    if (settled) {
      const list = movements.get(one.account.id) ?? [];
      movements.set(one.account.id, list);
      list.push({ at: one.decidedAt ?? 0, by: one.kind === "deposit" ? one.amount : -(one.amount + one.charges) });
    }
    if (one.status === "rejected" || one.status === "expired") continue;
    const counted = local(one.kind === "deposit" ? one.createdAt : (one.decidedAt ?? 0));
    const final = one.kind === "deposit" ? one.amount : one.amount + one.charges;
    use(one.account, one.kind, counted, final);
    use(one.account, one.kind, counted.slice(0, 7), final);
  }
  const idOf = new Map(book.accounts.map(({ id, ledgerId }) => [ledgerId, id]));
  for (const { at, legs } of transfers.flatMap(transferPostings)) {
    for (const [ledger, by] of legs) {
      const id = idOf.get(ledger);
      if (id !== undefined) movements.set(id, [...(movements.get(id) ?? []), { at, by }]);
    }
  }
  for (const one of transfers) {
    const counted = transferDay(one);
    for (const { account, kind, amount } of transferUses(one)) {
      use(account, kind, counted, amount);
      use(account, kind, counted.slice(0, 7), amount);
    }
  }
  const sizes = new Map<string, AccountSize>();
  book.accounts.forEach((account, n) => {
    const peak = (kind: string, length: number) => {
      let most = money(String(book.facts.secondFrom));
      for (const [key, value] of used) {
        if (key.startsWith(`${account.id} ${kind} `) && key.length === account.id.length + kind.length + 2 + length)
          most = larger(most, value);
      }
      return most;
    };
    // two accounts of each book nearly reach their daily limit and one has reached it, if today has had enough transactions
    const daily = (kind: string, percent: bigint | null) => {
      const usedToday = used.get(`${account.id} ${kind} ${today}`) ?? 0n;
      const most = peak(kind, 10);
      if (percent === null || usedToday * 12n < most) return roundUp((most * 22n) / 10n);
      return percent === 100n ? usedToday : roundUp((usedToday * 100n) / percent, 3);
    };
    const floor = money(String(Math.round(book.facts.median * (account.type === "backup" ? 400 : 160))));
    const { lowest, last } = balanceCourse(movements.get(account.id) ?? []);
    const opening = roundUp(floor - lowest);
    const balance = opening + last;
    const critical = n === 3 || (n === 6 && book.accounts.length > 12);
    sizes.set(account.id, {
      opening,
      balance,
      // the first of them may pay nothing out
      reserve: n === 3 ? roundUp((balance * 21n) / 20n, 3) : roundUp(floor / 8n),
      threshold: critical ? roundUp((balance * 12n) / 10n) : roundUp(floor / 4n),
      critical,
      depositDaily: daily("deposit", n === 4 ? 94n : null),
      depositMonthly: roundUp((peak("deposit", 7) * 19n) / 10n),
      withdrawalDaily: daily("withdrawal", n === 1 ? 93n : n === 9 ? 100n : null),
      withdrawalMonthly: roundUp((peak("withdrawal", 7) * 19n) / 10n),
    });
  });
  return sizes;
}
