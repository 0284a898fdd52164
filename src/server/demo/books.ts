import { money } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import { bankPrinted, customerName } from "./names.ts";
import type { DemoBank, DemoBook } from "./places.ts";
import type { Random } from "./random.ts";

type Method = "bank_transfer" | "e_wallet" | "qr";

export interface BookAccount {
  readonly id: string;
  readonly ledgerId: string;
  readonly code: string;
  readonly bank: string;
  readonly number: string;
  readonly holder: string;
  readonly type: "normal" | "atm" | "backup";
  readonly purpose: "deposit" | "withdrawal" | "both";
  readonly method: Method;
  readonly status: "active" | "inactive" | "suspend";
  /** Its relative frequency. */
  readonly weight: number;
}

export interface BookMember {
  readonly code: string;
  readonly name: string;
  readonly bank: string;
  readonly number: string;
  readonly holder: string;
  readonly method: "bank_transfer" | "e_wallet";
}

export interface BookMerchant {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly walletId: string;
  readonly holdId: string;
  readonly depositRate: Money;
  readonly withdrawalRate: Money;
  readonly weight: number;
  /** The URL of the demo's receiver, whose port is known at each start; until then nobody answers there. */
  readonly callbackUrl: string;
  /** It fails there. */
  readonly ailing: boolean;
  readonly members: readonly BookMember[];
}

/** A tenant's accounts and merchants in one currency, before any transaction. */
export interface Book {
  readonly facts: DemoBook;
  readonly tenant: string;
  readonly tenantCode: string;
  readonly feeId: string;
  readonly chargesId: string;
  readonly adjustmentId: string;
  readonly accounts: readonly BookAccount[];
  readonly merchants: readonly BookMerchant[];
}

export function makeBook(facts: DemoBook, tenant: { id: string; code: string }, since: number, random: Random): Book {
  return {
    facts,
    tenant: tenant.id,
    tenantCode: tenant.code,
    feeId: random.uuid(since),
    chargesId: random.uuid(since),
    adjustmentId: random.uuid(since),
    accounts: makeAccounts(facts, since, random),
    merchants: facts.merchants.map((merchant) => {
      const members = Array.from({ length: 60 + merchant.weight * 30 }, (_, n) => makeMember(facts, merchant.code, n, random));
      return {
        id: random.uuid(since),
        code: merchant.code,
        name: merchant.name,
        walletId: random.uuid(since),
        holdId: random.uuid(since),
        depositRate: money(random.pick(["1.2", "1.5", "1.8", "2.0"])),
        withdrawalRate: money(random.pick(["0.8", "1.0", "1.0", "1.2"])),
        weight: merchant.weight,
        callbackUrl: `http://127.0.0.1:9/callbacks/${merchant.code.toLowerCase()}`,
        ailing: merchant.ailing === true,
        members,
      };
    }),
  };
}

function makeAccounts(facts: DemoBook, since: number, random: Random): BookAccount[] {
  const used = new Map<string, number>();
  return Array.from({ length: facts.accounts }, (_, n) => {
    const last = facts.accounts - 1;
    const method: Method = n === last ? "qr" : n === last - 1 ? "e_wallet" : "bank_transfer";
    const kept = method === "qr" ? facts.qr : method === "e_wallet" ? facts.wallet : (facts.banks[n % facts.banks.length] as DemoBank); // every book has banks
    const count = (used.get(kept.code) ?? 0) + random.whole(1, 3);
    used.set(kept.code, count);
    const spare = n === last - 3;
    return {
      id: random.uuid(since),
      ledgerId: random.uuid(since),
      code: `${kept.code}-${String(count).padStart(2, "0")}`,
      bank: kept.name,
      number: accountNumber(kept, random),
      holder: random.pick(facts.companies),
      type: n === last - 2 ? "backup" : n === last - 4 ? "atm" : "normal",
      purpose: method === "qr" ? "deposit" : n === 2 ? "deposit" : n === 3 ? "withdrawal" : "both",
      method,
      status: spare ? (random.chance(0.5) ? "inactive" : "suspend") : "active",
      weight: spare ? 0 : n === last - 2 ? 0.3 : 1 + 4 / (n + 1),
    };
  });
}

export function makeMember(facts: DemoBook, merchantCode: string, n: number, random: Random): BookMember {
  const name = customerName(facts.names, random);
  const eWallet = random.chance(0.12);
  const kept = eWallet ? facts.wallet : random.pick(facts.banks);
  const initials = bankPrinted(name)
    .split(" ")
    .map((word) => word[0])
    .join("")
    .toLowerCase();
  return {
    code: `${merchantCode.toLowerCase()}_${initials}${String((n * 37 + 11) % 1000).padStart(2, "0")}${n >= 1000 ? n : ""}`,
    name,
    bank: kept.name,
    number: accountNumber(kept, random),
    holder: bankPrinted(name),
    method: eWallet ? "e_wallet" : "bank_transfer",
  };
}

function accountNumber(bank: DemoBank, random: Random): string {
  return `${random.whole(1, 9)}${random.digits(bank.digits - 1)}`;
}
