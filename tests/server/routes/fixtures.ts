import { randomInt, randomUUID } from "node:crypto";
import type { RouteName } from "../../../src/contract/index.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import type { TestDatabase } from "../../support/database.ts";
import { makeProvider } from "../../support/game-provider.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { sessionOf, setPassword } from "../../support/http.ts";
import type { Answered, Ready } from "../../support/http.ts";
import { uniquePng } from "../../support/receipts.ts";
import { makeForwarder, makeSigningMerchant } from "../../support/merchants.ts";
import type { Signer, SigningMerchant } from "../../support/merchants.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { deposit, depositFixtures } from "./fixtures-deposits.ts";
import { bankTransactionFixtures } from "./fixtures-bank-transactions.ts";
import { bankImportFixtures } from "./fixtures-bank-imports.ts";
import { callbackFixtures } from "./fixtures-callbacks.ts";
import { exportFixtures } from "./fixtures-exports.ts";
import { payoutFixtures } from "./fixtures-payouts.ts";
import { payoutFileFixtures } from "./fixtures-payout-files.ts";
import { preferenceFixtures } from "./fixtures-preferences.ts";
import { rateLimitFixtures } from "./fixtures-rate-limits.ts";
import { receiptFixtures } from "./fixtures-receipts.ts";
import { masterAccountFixtures } from "./fixtures-master-accounts.ts";
import { downtimeFixtures } from "./fixtures-downtimes.ts";
import { reportFixtures } from "./fixtures-reports.ts";
import { shiftFixtures } from "./fixtures-shifts.ts";
import { scoreWatcherFixtures } from "./fixtures-score-watchers.ts";
import { signInFixtures } from "./fixtures-sign-in.ts";
import { currencyFixtures, firstStepFixtures, settingFixtures } from "./fixtures-settings.ts";
import { accountBalanceFixtures, transferFixtures, waitingTransfer } from "./fixtures-transfers.ts";
import { peopleFixtures } from "./fixtures-people.ts";
import { gameProviderFixtures } from "./fixtures-game-provider.ts";
import { vendorFixtures } from "./fixtures-vendors.ts";
import { auditLogFixtures } from "./fixtures-audit-log.ts";

/** A tenant with all a route may ask for. */
export interface Site {
  readonly office: Office;
  readonly owner: Person;
  readonly password: string;
  readonly email: string;
  readonly merchant: SigningMerchant;
  /** Another merchant of the same tenant. */
  readonly rival: SigningMerchant;
  /** Signs the bank notices of an account; and of another of the tenant. */
  readonly forwarder: Signer;
  readonly rivalForwarder: Signer;
  /** In every name of its rows. No answer to another tenant may hold it, so a record that a body makes is named otherwise. */
  readonly mark: string;
}

export async function makeSite(db: TestDatabase, mark: string): Promise<Site> {
  const tiers = { MYR: { confirm_from: "5000.00", second_from: "50000.00" } };
  const settings = { recall_seconds: 60, claim_limit: 100, tiers };
  const office = await makeOffice(db, { settings, currencies: ["THB"] });
  const { tenant, deps } = office;
  const merchant = await makeSigningMerchant(db, deps, tenant, { wallet: "10000000" });
  const rival = await makeSigningMerchant(db, deps, tenant, { wallet: "100000" });
  await makeGroup(db, tenant, [await makeAccount(db, tenant, { holder: `${mark} Sdn Bhd`, balance: "100000000" })], [merchant, rival]);
  const [forwarder, rivalForwarder] = [
    await makeForwarder(db, deps, tenant, await makeAccount(db, tenant, { holder: mark })),
    await makeForwarder(db, deps, tenant, await makeAccount(db, tenant, { holder: mark })),
  ];
  // their keys count as used just now, so that a refused request writes nothing whenever it comes
  await db.owner.query("update merchants set name = $2 || ' ' || code, secret_used_at = now() + interval '1 hour' where tenant_id = $1", [
    tenant.id,
    mark,
  ]);
  await db.owner.query("update tenants set name = $2 where id = $1", [tenant.id, `${mark} House`]);
  const { rows } = await db.owner.query<{ id: string }>("select user_id as id from membership_groups where tenant_id = $1", [tenant.id]);
  const owner = { id: rows[0]?.id ?? "", name: `${mark} Owner` };
  await db.owner.query("update users set name = $2 where id = $1", [owner.id, owner.name]);
  const password = randomUUID();
  return { office, owner, password, email: await setPassword(db, owner.id, password), merchant, rival, forwarder, rivalForwarder, mark };
}

/** Whether a route answered another tenant's caller, who names this one's ids, as it must. */
const foreign = {
  "not found": ({ status, code }: Answered) => status === 404 && code === "not-found",
  "every row not found": ({ status, data }: Answered) => {
    const { outcomes = [] } = (data ?? {}) as { outcomes?: { done: boolean; problem?: { code: string } }[] }; // the contract's shape
    return status === 200 && outcomes.length > 0 && outcomes.every(({ done, problem }) => !done && problem?.code === "not-found");
  },
  "names a record that is not there": ({ status, code }: Answered) => status === 422 && code === "request.invalid",
  "an empty list": ({ status, data }: Answered) => status === 200 && Array.isArray(data) && data.length === 0,
  "no balances": ({ status, data }: Answered) => status === 200 && (data as { balances: unknown[] }).balances.length === 0, // the contract's shape
  "nothing held": ({ status, data }: Answered) => status === 200 && (data as { held: unknown[] }).held.length === 0, // the contract's shape
  "nothing planned": ({ status, data }: Answered) => {
    const { rows, missing } = (data ?? {}) as { rows?: unknown[]; missing?: unknown[] }; // the contract's shape
    return status === 200 && rows?.length === 0 && (missing?.length ?? 0) > 0;
  },
  refused: ({ status, code }: Answered) => status === 403 && code === "realtime.refused",
  "names no ids": ({ status }: Answered) => status < 500,
} as const;
type Foreign = keyof typeof foreign;
export const foreignVerdicts: Readonly<Record<Foreign, (answer: Answered) => boolean>> = foreign;

export interface Fixture {
  readonly foreign: Foreign;
  /** What a caller with every right is answered 2xx for, once; `by` is that caller on staff routes. */
  readonly make: (site: Site, by: Person) => Promise<Ready>;
}

type Ref = { readonly id: string; readonly version: number } | { readonly uuid: string; readonly version: number };
const ref = (row: Ref) => ({ uuid: "uuid" in row ? row.uuid : row.id, version: row.version });
const rows = (...given: Ref[]) => ({ rows: given.map(ref) });

const withdraw = (site: Site, amount = "500.00") =>
  site.office.withdraw(site.merchant, {
    amount,
    merchant_txn_no: randomUUID(),
    member: randomUUID(),
    customer_name: site.mark,
    holder: site.mark,
    account_number: String(randomInt(1e9, 1e10)),
  });
/** The line of the posting that held a new withdrawal. */
async function heldBy(site: Site): Promise<string> {
  const held = "select overlay(id::text placing '8' from 15) as id from ledger_groups where tenant_id = $1 and transaction_id = $2";
  const { rows: found } = await site.office.db.owner.query<{ id: string }>(held, [site.office.tenant.id, (await withdraw(site)).id]);
  return found[0]?.id ?? "";
}
/** The line a new account was opened with. */
async function openingOf({ office }: Site): Promise<string> {
  const { ledger } = await makeAccount(office.db, office.tenant, { balance: "5.00" });
  const { rows: found } = await office.db.owner.query<{ id: string }>("select group_id as id from ledger_entries where account_id = $1", [
    ledger,
  ]);
  return found[0]?.id ?? "";
}
async function codeOf({ office }: Site, table: "merchants", id: string): Promise<string> {
  const { rows: found } = await office.db.owner.query<{ code: string }>(`select code from ${table} where id = $1`, [id]);
  return found[0]?.code ?? "";
}
async function claimed(site: Site, by: Person, amount?: string) {
  const row = await withdraw(site, amount);
  return done(only(await withdrawalHandlers.claimWithdrawals(site.office.call(by), body(rows(row)))));
}
const confirmed = (row: { amount: string; holder: string }) => ({ amount: row.amount, holder: row.holder });
async function approved(site: Site, by: Person, amount?: string) {
  const row = await claimed(site, by, amount);
  return done(
    only(await withdrawalHandlers.approveWithdrawals(site.office.call(by), body({ rows: [{ ...ref(row), confirmed: confirmed(row) }] }))),
  );
}
const nothing = (): Promise<Ready> => Promise.resolve({});
const why = { code: "duplicate" };
const payee = (mark: string) => ({ member: randomUUID(), customer_name: mark });

const code = () => randomUUID().slice(0, 8).toUpperCase();
/** Nothing names them and they hold nothing: they may be deleted. */
const merchant = ({ office, mark }: Site, columns: Parameters<typeof makeSigningMerchant>[3] = {}) =>
  makeSigningMerchant(office.db, office.deps, office.tenant, { name: `${mark} ${code()}`, ...columns });
const account = ({ office, mark }: Site) => makeAccount(office.db, office.tenant, { balance: "0", holder: `${mark} Sdn Bhd` });

/** With an account and a merchant of its own, named after the site. */
async function group(site: Site) {
  const { office, mark } = site;
  const id = await makeGroup(office.db, office.tenant, [await account(site)], [await merchant(site)]);
  const name = `${mark} ${code()}`;
  await office.db.owner.query("update payment_groups set name = $2 where id = $1", [id, name]);
  return { id, name };
}
const groupForm = async (site: Site) => ({
  name: `Harbour ${code()}`,
  accounts: [(await account(site)).id],
  merchants: [(await merchant(site)).id],
});

const merchantForm = {
  name: "Harbour Play",
  deposit_rate: "1.5",
  withdrawal_rate: "1",
  settlement_rate: "0.5",
  charges_borne_by: "house",
  website_url: "https://www.harbour.example",
  backoffice_url: "https://office.harbour.example",
  callback_url: "https://pay.harbour.example/callback",
  whitelist_ips: "203.0.113.7, 198.51.100.0/24",
};
/** A merchant that has these already is changed into the form without a fresh proof. */
const guardedColumns = {
  callback_url: merchantForm.callback_url,
  deposit_rate: merchantForm.deposit_rate,
  withdrawal_rate: merchantForm.withdrawal_rate,
  settlement_rate: merchantForm.settlement_rate,
  whitelist_ips: merchantForm.whitelist_ips.split(", "),
};
const accountForm = {
  holder: "Mekong Harbour Sdn Bhd",
  type: "normal",
  purpose: "both",
  method: "bank_transfer",
  reserve_amount: "50.00",
  threshold: "1000.00",
  deposit_minimum: "10.00",
  deposit_maximum: "50000.00",
  withdrawal_minimum: "10.00",
  withdrawal_maximum: "50000.00",
  deposit_daily_limit: "100000.00",
  deposit_monthly_limit: "1000000.00",
  withdrawal_daily_limit: "100000.00",
  withdrawal_monthly_limit: "1000000.00",
  charges_type: "fixed",
  charges_value: "0.50",
};

/** One for each route; tests fail for a route without one. */
export const fixtures: Readonly<Record<RouteName, Fixture>> = {
  login: {
    foreign: "names no ids",
    make: async ({ office, owner, email, password }) => {
      await setPassword(office.db, owner.id, password); // another fixture's route may have changed it
      return { body: { email, password } };
    },
  },
  logout: { foreign: "names no ids", make: async () => ({ body: { refresh_token: randomUUID() } }) },
  refreshToken: {
    foreign: "names no ids",
    make: async ({ office }, by) => ({ body: { refresh_token: (await sessionOf(office.deps, by.id)).refresh_token } }),
  },
  readContext: { foreign: "names no ids", make: nothing },
  readProfile: { foreign: "names no ids", make: nothing },
  readConfig: { foreign: "names no ids", make: nothing },
  readNotificationDetails: { foreign: "names no ids", make: nothing },
  countWithdrawals: { foreign: "names no ids", make: nothing },
  readDashboard: { foreign: "names no ids", make: nothing },
  authorizeChannel: {
    foreign: "refused",
    make: async ({ office }) => ({
      body: { socket_id: `${randomInt(1e9)}.${randomInt(1e9)}`, channel_name: `private-channel.${office.tenant.id}` },
    }),
  },
  authorizeRightsChannel: {
    foreign: "refused",
    make: async ({ office }) => ({
      body: { socket_id: `${randomInt(1e9)}.${randomInt(1e9)}`, channel_name: `private-rights.${office.tenant.id}` },
    }),
  },
  ...signInFixtures,
  ...bankImportFixtures,
  ...payoutFixtures,
  ...preferenceFixtures,
  ...rateLimitFixtures,
  ...settingFixtures,
  ...currencyFixtures,
  ...firstStepFixtures,
  ...vendorFixtures,
  ...masterAccountFixtures,
  ...scoreWatcherFixtures,
  ...downtimeFixtures,
  ...reportFixtures,
  ...shiftFixtures,
  ...gameProviderFixtures,
  ...receiptFixtures(deposit, withdraw, waitingTransfer),
  ...peopleFixtures,
  ...auditLogFixtures,
  ...callbackFixtures,
  ...bankTransactionFixtures,
  ...exportFixtures,
  ...payoutFileFixtures(approved),
  search: { foreign: "an empty list", make: async (site) => ({ query: { q: (await withdraw(site)).txn_no } }) },
  listMerchants: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[name]": (await merchant(site)).name, with: "count,sums" } }),
  },
  readMerchant: { foreign: "not found", make: async (site) => ({ params: { uuid: (await merchant(site)).id } }) },
  createMerchant: { foreign: "names no ids", make: async () => ({ body: { ...merchantForm, code: code() } }) },
  updateMerchant: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await merchant(site, guardedColumns)).id }, body: { ...merchantForm, version: 1 } }),
  },
  changeMerchantStatus: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await merchant(site)).id }, body: { version: 1, status: "suspended", reason: "left" } }),
  },
  deleteMerchant: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await merchant(site)).id }, query: { version: "1" } }),
  },
  resetMerchantCredentials: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await merchant(site)).id }, body: { version: 1, old_secret: "now" } }),
  },
  viewMerchantSecret: {
    foreign: "not found",
    make: async ({ office: { db, deps, tenant } }) => ({ params: { uuid: (await makeSigningMerchant(db, deps, tenant)).id } }),
  },
  revokeOldMerchantSecret: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await merchant(site)).id }, body: { version: 1 } }),
  },
  testMerchantCallback: {
    foreign: "not found",
    async make({ office: { db, deps, tenant } }) {
      // an address nothing is sent to
      const { id } = await makeSigningMerchant(db, deps, tenant, { callback_url: "https://127.0.0.1/callbacks" });
      return { params: { uuid: id } };
    },
  },
  enableMerchantEndpoint: { foreign: "not found", make: async (site) => ({ params: { uuid: (await merchant(site)).id } }) },
  listMerchantStatementLines: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[txn_no]": (await withdraw(site)).txn_no, with: "count,sums" } }),
  },
  readWalletBalances: {
    foreign: "no balances",
    make: async (site) => ({ query: { at: "2999-01-01T00:00:00.000Z", code: await codeOf(site, "merchants", site.merchant.id) } }),
  },
  readWalletStatement: {
    foreign: "not found",
    make: async (site) => ({ query: { code: await codeOf(site, "merchants", site.merchant.id) } }),
  },
  readAccountStatement: { foreign: "not found", make: async (site) => ({ query: { code: (await account(site)).code } }) },
  listAccountStatementLines: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[account_code]": (await account(site)).code } }),
  },
  readAccountBalances: {
    foreign: "no balances",
    make: async (site) => ({ query: { at: "2999-01-01T00:00:00.000Z", code: (await account(site)).code } }),
  },
  readAccountStatementLine: { foreign: "not found", make: async (site) => ({ params: { uuid: await openingOf(site) } }) },
  readMerchantStatementLine: { foreign: "not found", make: async (site) => ({ params: { uuid: await heldBy(site) } }) },
  resetNoticeKey: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await account(site)).id }, body: { version: 1, old_secret: "now" } }),
  },
  revokeNoticeKey: {
    foreign: "not found",
    make: async (site) => {
      const own = await account(site);
      await makeForwarder(site.office.db, site.office.deps, site.office.tenant, own);
      return { params: { uuid: own.id }, body: { version: 1 } };
    },
  },
  sendBankLines: {
    foreign: "names no ids",
    make: async () => ({
      body: { lines: [{ time: "2026-11-21T06:32:00.000Z", direction: "credit", amount: "120.00", description: randomUUID() }] },
    }),
  },
  listPaymentAccounts: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[uuid]": (await account(site)).id, with: "count,sums" } }),
  },
  readPaymentAccount: { foreign: "not found", make: async (site) => ({ params: { uuid: (await account(site)).id } }) },
  createPaymentAccount: {
    foreign: "names no ids",
    make: async () => ({ body: { ...accountForm, code: code(), bank: "Maybank", account_number: String(randomInt(1e9, 1e10)) } }),
  },
  updatePaymentAccount: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await account(site)).id }, body: { ...accountForm, version: 1 } }),
  },
  changePaymentAccountStatus: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await account(site)).id }, body: { version: 1, status: "suspend", reason: "frozen" } }),
  },
  deletePaymentAccount: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await account(site)).id }, query: { version: "1" } }),
  },
  listLiveBalances: { foreign: "an empty list", make: async (site) => ({ query: { "filter[uuid]": (await account(site)).id } }) },
  listLiveDays: { foreign: "an empty list", make: async (site) => ({ query: { "filter[uuid]": (await account(site)).id } }) },
  readLiveBalance: { foreign: "not found", make: async (site) => ({ params: { uuid: (await account(site)).id } }) },
  listPaymentGroups: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[name]": (await group(site)).name, with: "count" } }),
  },
  readPaymentGroup: { foreign: "not found", make: async (site) => ({ params: { uuid: (await group(site)).id } }) },
  createPaymentGroup: { foreign: "names no ids", make: async (site) => ({ body: await groupForm(site) }) },
  updatePaymentGroup: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await group(site)).id }, body: { ...(await groupForm(site)), version: 1 } }),
  },
  deletePaymentGroup: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await group(site)).id }, query: { version: "1" } }),
  },
  listWithdrawals: {
    foreign: "an empty list",
    make: async (site) => ({ query: { view: "all", with: "count,sums", "filter[uuid]": (await withdraw(site)).id } }),
  },
  readWithdrawal: { foreign: "not found", make: async (site) => ({ params: { uuid: (await withdraw(site)).id } }) },
  takeNextWithdrawal: {
    foreign: "names no ids",
    make: async (site) => {
      await withdraw(site);
      return { body: { skip: [(await withdraw(site)).id] } };
    },
  },
  claimWithdrawals: { foreign: "every row not found", make: async (site) => ({ body: rows(await withdraw(site)) }) },
  renewWithdrawalClaims: { foreign: "nothing held", make: async (site, by) => ({ body: { uuids: [(await claimed(site, by)).uuid] } }) },
  releaseWithdrawals: { foreign: "every row not found", make: async (site, by) => ({ body: rows(await claimed(site, by)) }) },
  deferWithdrawals: { foreign: "every row not found", make: async (site, by) => ({ body: rows(await claimed(site, by)) }) },
  takeOverWithdrawals: {
    foreign: "every row not found",
    make: async (site) => ({ body: { ...rows(await claimed(site, site.office.ben)), reason: "away" } }),
  },
  approveWithdrawals: {
    foreign: "every row not found",
    make: async (site, by) => {
      const row = await claimed(site, by);
      return { body: { rows: [{ ...ref(row), confirmed: confirmed(row) }] } };
    },
  },
  secondApproveWithdrawals: {
    foreign: "every row not found",
    make: async (site) => {
      const row = await approved(site, site.office.ben, "60000.00");
      return { body: { rows: [{ ...ref(row), confirmed: confirmed(row) }] } };
    },
  },
  handBackWithdrawals: {
    foreign: "every row not found",
    make: async (site) => ({ body: { ...rows(await approved(site, site.office.ben, "60000.00")), reason: "Ask the customer first" } }),
  },
  rejectWithdrawals: {
    foreign: "every row not found",
    // whoever has only the second right rejects what waits for a second person
    make: async (site) => ({ body: { ...rows(await approved(site, site.office.ben, "60000.00")), reason: why } }),
  },
  recallWithdrawals: { foreign: "every row not found", make: async (site, by) => ({ body: rows(await approved(site, by)) }) },
  sendWithdrawalCallbacks: {
    foreign: "every row not found",
    make: async (site) => {
      const row = await withdraw(site);
      return {
        body: rows(done(only(await withdrawalHandlers.rejectWithdrawals(site.office.call(), body({ ...rows(row), reason: why }))))),
      };
    },
  },
  remarkWithdrawal: {
    foreign: "not found",
    make: async (site) => {
      const { id, version } = await withdraw(site);
      return { params: { uuid: id }, body: { version, remark: "called the bank" } };
    },
  },
  referWithdrawal: {
    foreign: "not found",
    make: async (site, by) => {
      const { uuid, version } = await claimed(site, by);
      return { params: { uuid }, body: { version, reference_no: randomUUID() } };
    },
  },
  ...depositFixtures,
  ...transferFixtures,
  ...accountBalanceFixtures,
  createDeposit: {
    foreign: "names no ids",
    make: async ({ mark }) => ({
      body: { merchant_txn_no: randomUUID(), amount: "100.00", currency: "MYR", method: "bank_transfer", ...payee(mark) },
    }),
  },
  reportDepositPaid: {
    foreign: "not found",
    make: async (site) => ({
      params: { uuid: (await deposit(site)).id },
      body: { reference_no: "R-1", payment_date: "2026-11-21T06:32:00.000Z" },
    }),
  },
  createWithdrawal: {
    foreign: "names no ids",
    make: async ({ mark }) => ({
      body: {
        merchant_txn_no: randomUUID(),
        amount: "100.00",
        currency: "MYR",
        method: "bank_transfer",
        ...payee(mark),
        bank: "Maybank",
        account_number: "5140 1234 5678",
        holder: mark,
      },
    }),
  },
  sendDepositReceipt: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: (await deposit(site)).id }, file: { name: "", bytes: uniquePng() } }),
  },
  cancelWithdrawal: { foreign: "not found", make: async (site) => ({ params: { uuid: (await withdraw(site)).id } }) },
  sendTestCallback: {
    foreign: "names no ids",
    make: async ({ office, merchant: { id } }) => {
      // an address nothing is sent to
      await office.db.owner.query("update merchants set callback_url = 'https://127.0.0.1/callbacks' where id = $1", [id]);
      return {};
    },
  },
  listMerchantTransactions: {
    foreign: "an empty list",
    make: async (site) => ({ query: { merchant_txn_no: (await deposit(site)).merchant_txn_no ?? "" } }),
  },
  readMerchantTransaction: { foreign: "not found", make: async (site) => ({ params: { uuid: (await deposit(site)).id } }) },
  readBalance: { foreign: "names no ids", make: nothing },
  listMyProviders: { foreign: "names no ids", make: nothing },
  listMyGames: {
    foreign: "not found",
    make: async ({ office, merchant, mark }) => ({
      params: { uuid: await makeProvider(office.db, office.tenant, merchant, { name: `${mark} ${randomUUID()}` }) },
    }),
  },
};
