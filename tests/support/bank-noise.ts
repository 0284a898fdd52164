import { customerName } from "../../src/server/demo/names.ts";
import type { Random } from "../../src/server/demo/random.ts";
import { seededRandom } from "../../src/server/demo/random.ts";
import type { StatementLine } from "../../src/server/bank-lines/statement-line.ts";
import { aLine } from "./bank-lines.ts";
import type { TestDatabase } from "./database.ts";
import type { Account, Merchant, Tenant } from "./factories.ts";

export interface NoisyDeposit {
  readonly id: string;
  readonly txnNo: string;
  readonly merchantTxnNo: string;
  readonly name: string;
  readonly member: string;
  readonly amount: string;
  readonly createdAt: Date;
  readonly account: number;
}

/** A line as a bank might tell it, with what really happened. */
export interface NoisyLine {
  readonly line: StatementLine;
  readonly account: number;
  /** The deposits it paid; none: it was something else. */
  readonly paid: readonly string[];
}

export interface Noise {
  readonly deposits: readonly NoisyDeposit[];
  readonly lines: readonly NoisyLine[];
}

const cyrillic = ["Иван Щербаков", "Ольга Кузнецова", "Дмитрий Жуков", "Наталья Юрьева", "Сергей Чайкин", "Мария Фёдорова"];
const latin = ["IVAN SHCHERBAKOV", "OLGA KUZNETSOVA", "DMITRIY ZHUKOV", "NATALYA YUREVA", "SERGEY CHAYKIN", "MARIYA FEDOROVA"];
const round = ["50.00", "100.00", "200.00", "300.00", "500.00", "1000.00"];
const minute = 60_000;

/** What a bank prints of a name: capitals, no accents, sometimes another order, sometimes cut off. */
function printed(name: string, random: Random): string {
  const at = cyrillic.indexOf(name);
  const plain =
    at === -1 ? name.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("đ", "d").replaceAll("Đ", "D").toUpperCase() : (latin[at] ?? "");
  const ordered = random.chance(0.2) ? plain.split(" ").toReversed().join(" ") : plain;
  return random.chance(0.25) ? ordered.slice(0, 12).trim() : ordered;
}

/** `count` deposits over three days and what the bank says of them and of other things; the same for the same seed. */
export function makeNoise({ seed, count, accounts, now }: { seed: number; count: number; accounts: number; now: number }): Noise {
  const random = seededRandom(seed);
  const names = Array.from({ length: Math.ceil(count / 3) }, () =>
    random.chance(0.1) ? random.pick(cyrillic) : customerName(random.pick(["my", "vn", "th", "id", "sg", "ph"] as const), random),
  );
  const deposits = Array.from({ length: count }, (_, n): NoisyDeposit => {
    const member = random.whole(0, names.length - 1);
    const createdAt = new Date(now - random.whole(2 * 60, 70 * 60) * minute);
    return {
      id: random.uuid(createdAt.getTime()),
      txnNo: `D261121${String(1_000_000 + n).slice(-7)}`,
      merchantTxnNo: `ORD-${random.digits(8)}`,
      name: names[member] ?? "",
      member: `M${member}`,
      // a third ask for round amounts, which many share
      amount: random.chance(0.35) ? random.pick(round) : `${random.whole(20, 4_000)}.${random.digits(2)}`,
      createdAt,
      account: random.whole(0, accounts - 1),
    };
  });
  const lines: NoisyLine[] = [];
  const add = (account: number, paid: readonly string[], line: Partial<StatementLine>) => lines.push({ account, paid, line: aLine(line) });
  for (const deposit of deposits) {
    const { createdAt, account, id, amount, name } = deposit;
    const late = random.weighted(
      [random.whole(1, 30), random.whole(30, 600), random.whole(1_000, 4_200), random.whole(4_400, 6_000)],
      [80, 12, 6, 2],
    );
    const time = new Date(createdAt.getTime() + late * minute + random.whole(0, 59_000));
    const said = random.weighted([deposit.txnNo, deposit.merchantTxnNo, "", `REF ${random.digits(5)}`], [60, 10, 20, 10]);
    const by = random.chance(0.06) ? printed(customerName("my", random), random) : printed(name, random);
    const text = {
      description: `${random.pick(["FPX TRF", "DUITNOW", "IBG CR", "TRF"])} ${random.chance(0.5) ? `${by} ` : ""}${said}`.trim(),
    };
    const counterparty = random.chance(0.75) ? by : null;
    const common = { time, counterparty, ...text };
    const half = (Number(amount) / 2).toFixed(2);
    const kind = random.weighted(["one", "none", "twice", "split", "wrong-amount", "old-number"] as const, [80, 8, 3, 4, 3, 2]);
    if (kind === "one") add(account, [id], { ...common, amount });
    else if (kind === "twice") {
      add(account, [id], { ...common, amount });
      add(account, [id], { ...common, amount, time: new Date(time.getTime() + 2 * minute) });
    } else if (kind === "split" && Number(half) * 2 === Number(amount)) {
      add(account, [], { ...common, amount: half });
      add(account, [], { ...common, amount: half, time: new Date(time.getTime() + minute) });
    } else if (kind === "wrong-amount") add(account, [], { ...common, amount: (Number(amount) + 10).toFixed(2) });
    // the customer types the number of an earlier payment, which another deposit of another amount has
    else if (kind === "old-number") add(account, [id], { ...common, amount, description: `TRF ${random.pick(deposits).txnNo}` });
  }
  // money of no customer, of amounts that customers have, too
  for (let n = 0; n < count / 20; n++) {
    const like = random.pick(deposits);
    add(like.account, [], {
      time: new Date(like.createdAt.getTime() + random.whole(1, 400) * minute),
      amount: like.amount,
      description: random.pick([
        "CDM DEP 0043 KLCC",
        "INTEREST",
        "TRF TO OWN ACCOUNT",
        `IBG CR ${printed(customerName("sg", random), random)}`,
      ]),
    });
  }
  return { deposits, lines: lines.toSorted((a, b) => a.line.time.getTime() - b.line.time.getTime()) };
}

/** Puts the deposits where the merchant's customers were shown these accounts, as pending ones of their times. */
export async function insertDeposits(
  { owner }: TestDatabase,
  tenant: Tenant,
  merchant: Merchant,
  accounts: readonly Account[],
  deposits: readonly NoisyDeposit[],
): Promise<void> {
  const column = <T>(of: (deposit: NoisyDeposit) => T) => deposits.map(of);
  await owner.query(
    `with d as (select * from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[], $9::timestamptz[], $10::uuid[])
        d (id, txn_no, number, name, member, amount, at, account)),
      t as (insert into transactions (tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, status, currency, method, member, customer_name,
          amount, final_amount, merchant_amount, payment_account_id, events, created_at, last_action_at)
        select $1, d.id, 'deposit', d.txn_no, $2, d.number, 'pending', $11, 'bank_transfer', d.member, d.name, d.amount, d.amount, d.amount,
          d.account, 1, d.at, d.at from d returning tenant_id, id, created_at)
      insert into transaction_events (tenant_id, transaction_id, n, kind, act, from_status, to_status, at, actor)
        select tenant_id, id, 1, 'deposit', 'create', '', 'pending', created_at, 'merchant' from t`,
    [
      tenant.id,
      merchant.id,
      column(({ id }) => id),
      column(({ txnNo }) => txnNo),
      column(({ merchantTxnNo }) => merchantTxnNo),
      column(({ name }) => name),
      column(({ member }) => member),
      column(({ amount }) => amount),
      column(({ createdAt }) => createdAt),
      column(({ account }) => accounts[account]?.id),
      tenant.currency,
    ],
  );
}
