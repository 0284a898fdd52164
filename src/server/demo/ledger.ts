import { moneyText } from "../../values/money.ts";
import type { LedgerAccountKind } from "../db/tables/kinds.ts";
import { copyLine } from "./copy.ts";
import type { Past } from "./history.ts";
import { iso } from "./instants.ts";
import type { Opening } from "./insert.ts";
import type { Random } from "./random.ts";
import { postingsOf } from "./past-events.ts";
import type { PastTransfer } from "./transfers.ts";
import { transferPostings } from "./transfer-rows.ts";

interface Group {
  readonly id: string;
  readonly tenant: string;
  readonly currency: string;
  readonly kind: string;
  readonly at: number;
  readonly transaction: string | null;
  readonly by: string | null;
}

interface Entry {
  readonly group: Group;
  readonly amount: bigint;
}

/** The ledger of the whole demo, as lines for COPY. */
export interface DemoLedger {
  readonly groups: Iterable<string>;
  readonly entries: Iterable<string>;
  readonly balances: readonly { readonly account: string; readonly balance: string; readonly seq: number }[];
  /** Transaction id → the wallet's balance before its posting, of a transfer between accounts the paying one's. */
  readonly previous: ReadonlyMap<string, string>;
}

export const groupColumns = "tenant_id, id, kind, currency, transaction_id, by_user, created_at";
export const entryColumns =
  "tenant_id, account_id, account_kind, rare_kind, seq, group_id, currency, side, amount, previous_balance, balance, created_at";

/** What first moves a wallet for a transaction or a transfer. */
const posted: ReadonlySet<string> = new Set(["withdrawal.hold", "deposit", "settlement.hold", "adjustment"]);

const debitNormal: readonly LedgerAccountKind[] = ["payment-account", "bank-charges", "adjustment"];

/** As the database's rare_kind has it. */
function rareKind(account: LedgerAccountKind, posting: string): string | null {
  const everyday = { wallet: ["deposit", "withdrawal.hold", "withdrawal.release"], "payment-account": ["deposit", "withdrawal"] } as const;
  if (account !== "wallet" && account !== "payment-account") return null;
  return (everyday[account] as readonly string[]).includes(posting) ? null : posting;
}

/** `kinds`: each ledger account's. */
export function makeLedger(
  past: readonly Past[],
  transfers: readonly PastTransfer[],
  openings: readonly Opening[],
  kinds: ReadonlyMap<string, LedgerAccountKind>,
  since: number,
  random: Random,
): DemoLedger {
  const groups: Group[] = [];
  const accounts = new Map<string, Entry[]>();
  const add = (group: Group, legs: readonly (readonly [string, bigint])[]) => {
    groups.push(group);
    for (const [account, amount] of legs) {
      const list = accounts.get(account);
      if (list) list.push({ group, amount });
      else accounts.set(account, [{ group, amount }]);
    }
  };
  for (const { tenant, currency, account, amount, counter, side } of openings) {
    const group = { id: random.uuid(since), tenant, currency, kind: "opening", at: since, transaction: null, by: null };
    add(group, [
      [account, amount],
      [counter, BigInt(side) * amount],
    ]);
  }
  for (const one of past) {
    for (const { kind, at, by, legs } of postingsOf(one)) {
      add({ id: random.uuid(at), tenant: one.book.tenant, currency: one.book.facts.currency, kind, at, transaction: one.id, by }, legs);
    }
  }
  for (const one of transfers) {
    for (const { kind, at, by, legs } of transferPostings(one)) {
      add({ id: random.uuid(at), tenant: one.book.tenant, currency: one.book.facts.currency, kind, at, transaction: one.id, by }, legs);
    }
  }
  const sources = new Map(transfers.flatMap(({ id, kind, source }) => (source && kind !== "settlement" ? [[id, source.ledgerId]] : [])));
  const balances: { account: string; balance: string; seq: number }[] = [];
  const previous = new Map<string, string>();
  const wallets = new Set(past.map((one) => one.merchant.walletId));
  const ordered = [...accounts.keys()].sort();
  for (const account of ordered) {
    const list = accounts.get(account) ?? [];
    list.sort((a, b) => a.group.at - b.group.at || (a.group.id < b.group.id ? -1 : 1));
    let balance = 0n;
    for (const { group, amount } of list) {
      if (group.transaction && wallets.has(account) && posted.has(group.kind)) previous.set(group.transaction, moneyText(balance));
      if (group.transaction && sources.get(group.transaction) === account) previous.set(group.transaction, moneyText(balance));
      balance += amount;
    }
    balances.push({ account, balance: moneyText(balance), seq: list.length });
  }
  function* entryLines(): Iterable<string> {
    for (const account of ordered) {
      const kind = kinds.get(account);
      if (kind === undefined) throw new Error(`no kind of ledger account ${account}`);
      const side = debitNormal.includes(kind) ? 1 : -1;
      let [balance, seq, text] = [0n, 0, "0.00"];
      for (const { group, amount } of accounts.get(account) ?? []) {
        const before = text;
        balance += amount;
        seq += 1;
        text = moneyText(balance);
        yield `${group.tenant}\t${account}\t${kind}\t${rareKind(kind, group.kind) ?? "\\N"}\t${seq}\t${group.id}\t${group.currency}\t${side}\t${moneyText(amount)}\t${before}\t${text}\t${iso(group.at)}`;
      }
    }
  }
  groups.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { groups: groupLines(groups), entries: entryLines(), balances, previous };
}

function* groupLines(groups: readonly Group[]): Iterable<string> {
  for (const { id, tenant, currency, kind, at, transaction, by } of groups)
    yield copyLine([tenant, id, kind, currency, transaction, by, iso(at)]);
}
