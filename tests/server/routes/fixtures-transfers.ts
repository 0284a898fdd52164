import { randomUUID } from "node:crypto";
import type { paymentAccountRoutes } from "../../../src/contract/payment-accounts.ts";
import type { Transfer, transferRoutes } from "../../../src/contract/transfers.ts";
import { makeAccount } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { adjustmentForm, ref, settlementForm, transferForm, transfersBy } from "../../support/transfers.ts";
import type { Fixture, Site } from "./fixtures.ts";

const large = "60000.00";
const account = ({ office, mark }: Site, more: object = {}) =>
  makeAccount(office.db, office.tenant, { holder: `${mark} Sdn Bhd`, ...more });
const rows = (...given: readonly Transfer[]) => ({ rows: given.map(ref) });
const sure = (row: Transfer) => ({ rows: [{ ...ref(row), confirmed: { amount: row.amount } }] });

const form = async (site: Site) => transferForm(await account(site), await account(site));
const waiting = async (site: Site, by: Person = site.office.ann, amount?: string) =>
  transfersBy(site.office, by).transfer(await account(site), await account(site), amount, { remark: site.mark });

/** One that waits for its confirmation. */
export const waitingTransfer = async (site: Site) => ({ id: (await waiting(site)).uuid });

export const transferFixtures: Readonly<Record<keyof typeof transferRoutes, Fixture>> = {
  listTransfers: {
    foreign: "an empty list",
    make: async (site) => ({ query: { with: "count,sums", "filter[uuid]": (await waiting(site)).uuid } }),
  },
  readTransfer: { foreign: "not found", make: async (site) => ({ params: { uuid: (await waiting(site)).uuid } }) },
  previewTransfer: {
    foreign: "names no ids",
    make: async (site) => {
      const { source, target, amount } = await form(site);
      return { body: { kind: "transfer", source, target, amount } };
    },
  },
  previewAdjustment: {
    foreign: "names no ids",
    make: async ({ merchant }) => ({ body: { kind: "adjustment", merchant: merchant.id, direction: "debit", amount: "10.00" } }),
  },
  previewSettlement: {
    foreign: "names no ids",
    make: async ({ merchant }) => ({ body: { kind: "cash-out", merchant: merchant.id, amount: "10.00" } }),
  },
  previewClearing: {
    foreign: "names no ids",
    make: async (site) => ({ body: { kind: "clearing", source: (await account(site)).id } }),
  },
  createTransfer: { foreign: "names a record that is not there", make: async (site) => ({ body: await form(site) }) },
  createManualTransfer: {
    foreign: "names a record that is not there",
    make: async (site) => ({ body: { ...(await form(site)), reference_no: "FT 1", payment_date: new Date().toISOString() } }),
  },
  adjustWallet: {
    foreign: "names a record that is not there",
    make: async ({ merchant }) => ({ body: adjustmentForm(merchant, "500.00", { reason: randomUUID() }) }),
  },
  createSettlement: {
    foreign: "names a record that is not there",
    make: async (site) => ({ body: settlementForm(site.merchant, await account(site)) }),
  },
  createCashOut: {
    foreign: "names a record that is not there",
    make: async ({ merchant }) => ({ body: { merchant: merchant.id, amount: "500.00", reference_no: randomUUID(), remark: "" } }),
  },
  approveTransfers: { foreign: "every row not found", make: async (site) => ({ body: sure(await waiting(site)) }) },
  secondApproveTransfers: {
    foreign: "every row not found",
    make: async (site) => ({ body: sure(await waiting(site, site.office.ann, large)) }),
  },
  handBackTransfers: {
    foreign: "every row not found",
    make: async (site) => ({ body: { ...rows(await waiting(site, site.office.ann, large)), reason: "Which invoice?" } }),
  },
  rejectTransfers: {
    foreign: "every row not found",
    // whoever has only the second right rejects what waits for a second person
    make: async (site) => ({ body: { ...rows(await waiting(site, site.office.ann, large)), reason: "Not agreed" } }),
  },
  recallTransfers: { foreign: "every row not found", make: async (site) => ({ body: rows(await waiting(site)) }) },
  remarkTransfer: {
    foreign: "not found",
    make: async (site) => {
      const { uuid, version } = await waiting(site);
      return { params: { uuid }, body: { version, remark: "called the bank" } };
    },
  },
};

/** The acts of payment accounts that concern their balance. */
export const accountBalanceFixtures = {
  holdPaymentAccount: {
    foreign: "not found",
    make: async (site) => ({
      params: { uuid: (await account(site)).id },
      body: { version: 1, amount: "100.00", reason: "frozen by the bank", until: "" },
    }),
  },
  releasePaymentAccount: {
    foreign: "not found",
    make: async (site) => ({
      params: { uuid: (await account(site, { hold_amount: "100", hold_reason: "frozen" })).id },
      body: { version: 1, reason: "" },
    }),
  },
  clearPaymentAccount: {
    foreign: "not found",
    make: async (site) => ({
      params: { uuid: (await account(site)).id },
      body: { version: 1, target: (await account(site)).id, charges_type: "fixed", charges_value: "1.00", reason: "closed by the bank" },
    }),
  },
} as const satisfies Partial<Record<keyof typeof paymentAccountRoutes, Fixture>>;
