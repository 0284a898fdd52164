import { randomInt, randomUUID } from "node:crypto";
import type { bankTransactionRoutes } from "../../../src/contract/bank-transaction-routes.ts";
import { bankTransactionHandlers } from "../../../src/server/bank-lines/bank-lines.ts";
import { aLine, bookLine } from "../../support/bank-lines.ts";
import { makeAccount } from "../../support/factories.ts";
import { body, only } from "../../support/payments.ts";
import type { Fixture, Site } from "./fixtures.ts";

const ref = ({ id, version }: { id: string; version: number }) => ({ uuid: id, version });
const deposit = (site: Site) => site.office.deposit(site.merchant, { merchant_txn_no: randomUUID(), customer_name: site.mark });
const account = ({ office, mark }: Site) => makeAccount(office.db, office.tenant, { balance: "0", holder: `${mark} Sdn Bhd` });

async function line(site: Site, of: Parameters<typeof aLine>[0] = {}) {
  return bookLine(site.office, (await account(site)).id, aLine({ description: `${site.mark} ${randomUUID()}`, ...of }));
}

/** A deposit and a line that fits it. */
async function pair(site: Site) {
  const row = await deposit(site);
  const to = row.payment_account_id ?? "";
  const account_number = String(randomInt(1e9, 1e10));
  const own = await bookLine(
    site.office,
    to,
    aLine({ description: randomUUID(), counterparty: site.mark, counterparty_account: account_number }),
  );
  return { row, own, account_number };
}

async function matched(site: Site) {
  const { row, own, account_number } = await pair(site);
  const wanted = { ...ref(own), transactions: [ref(row)] };
  const outcome = only(await bankTransactionHandlers.matchBankLines(site.office.call(), body({ rows: [wanted] })));
  if (!outcome.done) throw new Error(`a fixture's match was refused: ${outcome.problem.code}`);
  return { line: outcome.row, account_number };
}

async function payer(site: Site) {
  const { account_number } = await matched(site);
  const { rows } = await site.office.db.owner.query<{ id: string; version: number }>(
    "select id, version from bank_payers where tenant_id = $1 and account = $2",
    [site.office.tenant.id, account_number],
  );
  const [row] = rows;
  if (!row) throw new Error("a match teaches the payer");
  return row;
}

const rule = {
  contains: "MONTHLY CHARGE",
  from: "",
  direction: "debit",
  amount_from: "",
  amount_to: "50.00",
  ignore_as: "fee",
} as const;

/** Saves one rule; answers the version it has now. */
async function savedRules(site: Site): Promise<number> {
  const call = () => site.office.call();
  const { version } = (await bankTransactionHandlers.readBankRules(call(), body(undefined))).data;
  return (await bankTransactionHandlers.saveBankRules(call(), body({ version, rules: [rule] }))).data.version;
}

export const bankTransactionFixtures: Readonly<Record<keyof typeof bankTransactionRoutes, Fixture>> = {
  listBankLines: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[uuid]": (await line(site)).id, with: "count,sums" } }),
  },
  readBankLine: { foreign: "not found", make: async (site) => ({ params: { uuid: (await matched(site)).line.uuid } }) },
  createBankLine: {
    foreign: "names no ids",
    make: async (site) => ({
      body: {
        payment_account: (await account(site)).id,
        time: new Date().toISOString(),
        direction: "credit",
        amount: "120.00",
        reference: randomUUID(),
        counterparty: "Tan Wei Ming",
        counterparty_account: "514012345678",
        description: "DUITNOW",
      },
    }),
  },
  suggestForBankLine: { foreign: "not found", make: async (site) => ({ params: { uuid: (await pair(site)).own.id } }) },
  suggestBankLines: { foreign: "an empty list", make: async (site) => ({ query: { transaction: (await pair(site)).row.id } }) },
  matchBankLines: {
    foreign: "every row not found",
    make: async (site) => {
      const { row, own } = await pair(site);
      return { body: { rows: [{ ...ref(own), transactions: [ref(row)] }] } };
    },
  },
  unmatchBankLines: {
    foreign: "every row not found",
    make: async (site) => {
      const { uuid, version } = (await matched(site)).line;
      return { body: { rows: [{ uuid, version }], reason: "another customer's" } };
    },
  },
  ignoreBankLines: {
    foreign: "every row not found",
    make: async (site) => ({ body: { rows: [ref(await line(site))], ignore_as: "fee", reason: "" } }),
  },
  takeBackBankLines: {
    foreign: "every row not found",
    make: async (site) => {
      const rows = [ref(await line(site))];
      const outcome = only(
        await bankTransactionHandlers.ignoreBankLines(site.office.call(), body({ rows, ignore_as: "fee" as const, reason: "" })),
      );
      if (!outcome.done) throw new Error(outcome.problem.code);
      return { body: { rows: [{ uuid: outcome.row.uuid, version: outcome.row.version }] } };
    },
  },
  listPayers: { foreign: "an empty list", make: async (site) => ({ query: { "filter[uuid]": (await payer(site)).id } }) },
  readPayer: { foreign: "not found", make: async (site) => ({ params: { uuid: (await payer(site)).id } }) },
  revokePayers: {
    foreign: "every row not found",
    make: async (site) => ({ body: { rows: [ref(await payer(site))], reason: "two customers share it" } }),
  },
  readBankRules: { foreign: "names no ids", make: async () => ({}) },
  saveBankRules: {
    foreign: "names no ids",
    make: async (site) => ({ body: { version: await savedRules(site), rules: [rule] } }),
  },
  tryBankRules: { foreign: "names no ids", make: async () => ({ body: { rules: [rule] } }) },
  applyBankRules: { foreign: "names no ids", make: async (site) => ({ body: { version: await savedRules(site) } }) },
  listStatementBalances: { foreign: "names no ids", make: async () => ({}) },
  readStatementBalance: {
    foreign: "not found",
    make: async (site) => {
      const own = await line(site, { balance: "1000.00" });
      return { params: { uuid: own.payment_account_id } };
    },
  },
};
