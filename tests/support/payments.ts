import type { Deposit } from "../../src/contract/deposits.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { Deps, StaffCall } from "../../src/server/call.ts";
import { inTenant } from "../../src/server/db/scope.ts";
import { depositHandlers } from "../../src/server/payments/deposits.ts";
import { createDeposit, createWithdrawal } from "../../src/server/payments/transactions.ts";
import type { DepositRequest, WithdrawalRequest } from "../../src/server/payments/transactions.ts";
import type { TransactionRow } from "../../src/server/payments/transaction-rows.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import type { TestDatabase } from "./database.ts";
import { announcements, makeDeps, makePerson, makeTenant, staffCall } from "./factories.ts";
import type { Announcements, Merchant, Person, Tenant } from "./factories.ts";

/** A tenant with two operators, its dependencies, and the usual acts in short form. */
export interface Office {
  readonly db: TestDatabase;
  readonly tenant: Tenant;
  readonly deps: Deps;
  readonly ann: Person;
  readonly ben: Person;
  readonly announced: Announcements["published"];
  call(person?: Person, options?: Parameters<typeof staffCall>[3]): StaffCall;
  withdraw(merchant: Merchant, request?: Partial<WithdrawalRequest>): Promise<TransactionRow>;
  deposit(merchant: Merchant, request?: Partial<DepositRequest>): Promise<TransactionRow>;
  claimed(merchant: Merchant, request?: Partial<WithdrawalRequest>, person?: Person): Promise<Withdrawal>;
  /** A deposit in process. */
  paid(merchant: Merchant, request?: Partial<DepositRequest>): Promise<Deposit>;
  /** A deposit in process that the person has claimed. */
  taken(merchant: Merchant, request?: Partial<DepositRequest>, person?: Person): Promise<Deposit>;
  /** A deposit credited to its merchant. */
  credited(merchant: Merchant, request?: Partial<DepositRequest>): Promise<Deposit>;
  /** Claims and approves a deposit in process. */
  credit(row: Pick<Deposit, "uuid" | "version" | "amount" | "customer_name">): Promise<Deposit>;
  /** Of one owner's account, or of all accounts of the kind. */
  balance(kind: string, owner?: string): Promise<string>;
}

export async function makeOffice(db: TestDatabase, options: Parameters<typeof makeTenant>[1] = {}): Promise<Office> {
  const tenant = await makeTenant(db, options);
  const [ann, ben] = [await makePerson(db, tenant, "Ann Lim"), await makePerson(db, tenant, "Ben Ooi")];
  const publisher = announcements();
  const deps = makeDeps(db, publisher);
  const creating = (merchant: Merchant) => ({
    tenant: tenant.id,
    merchant: merchant.id,
    actor: { kind: "merchant" as const, id: merchant.id, name: merchant.name, ip: null, requestId: null },
  });
  let number = 0;
  const common = (merchant: Merchant) => ({
    merchant_txn_no: `N${++number}`,
    amount: "500.00",
    currency: merchant.currency,
    method: "bank_transfer",
    member: "M1",
    customer_name: "Tan Wei Ming",
  });
  const office: Office = {
    db,
    tenant,
    deps,
    ann,
    ben,
    announced: publisher.published,
    call: (person = ann, more) => staffCall(deps, tenant, person, more),
    withdraw: (merchant, request) =>
      inTenant(db.database, tenant.id, (scoped) =>
        createWithdrawal(scoped, creating(merchant), {
          ...common(merchant),
          bank: "Maybank",
          account_number: `${5_000_000 + number}`,
          holder: "TAN WEI MING",
          ...request,
        }),
      ),
    deposit: async (merchant, request) =>
      (await inTenant(db.database, tenant.id, (scoped) => createDeposit(scoped, creating(merchant), { ...common(merchant), ...request })))
        .row,
    async claimed(merchant, request, person = ann) {
      const { id, version } = await office.withdraw(merchant, request);
      const { data } = await withdrawalHandlers.claimWithdrawals(office.call(person), {
        body: { rows: [{ uuid: id, version }] },
        params: undefined,
        query: undefined,
      });
      const [outcome] = data.outcomes;
      if (!outcome?.done) throw new Error(`not claimed: ${outcome?.problem.code}`);
      return outcome.row;
    },
    async paid(merchant, request) {
      const { id, version } = await office.deposit(merchant, request);
      return done(only(await depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid: id, version }] }))));
    },
    async taken(merchant, request, person = ann) {
      const { uuid, version } = await office.paid(merchant, request);
      return done(only(await depositHandlers.claimDeposits(office.call(person), body({ rows: [{ uuid, version }] }))));
    },
    credited: async (merchant, request) => office.credit(await office.paid(merchant, request)),
    async credit({ uuid, version, amount, customer_name }) {
      const row = { uuid, version, claim: true as const, confirmed: { amount, payer: customer_name } };
      return done(only(await depositHandlers.approveDeposits(office.call(), body({ rows: [row] }))));
    },
    async balance(kind, of) {
      const { rows } = await db.owner.query<{ balance: string }>(
        "select coalesce(sum(balance), 0) as balance from ledger_accounts where tenant_id = $1 and kind = $2 and currency = $3 and ($4::uuid is null or owner_id = $4)",
        [tenant.id, kind, tenant.currency, of ?? null],
      );
      return Number(rows[0]?.balance).toFixed(2);
    },
  };
  return office;
}

/** The outcome of an act on one row. */
export function only<T>({ data }: { data: { outcomes: readonly T[] } }): T {
  const [outcome] = data.outcomes;
  if (outcome === undefined || data.outcomes.length !== 1) throw new Error("one outcome was expected");
  return outcome;
}

/** The row of an act that was carried out. */
export function done<R>(outcome: { done: true; row: R } | { done: false; problem: { code: string } }): R {
  if (!outcome.done) throw new Error(`refused: ${outcome.problem.code}`);
  return outcome.row;
}

/** The input of a handler with this body. */
export const body = <B>(given: B) => ({ body: given, params: undefined, query: undefined });

/** The problems of the refused rows. */
export const refusals = <P>(outcomes: readonly ({ done: true } | { done: false; problem: P })[]): P[] =>
  outcomes.flatMap((outcome) => (outcome.done ? [] : [outcome.problem]));

/** The codes of the rejected promises. */
export const rejections = (settled: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  settled.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code?: unknown }).code] : [])); // a Refusal, or any error
