import type { receiptRoutes } from "../../../src/contract/receipts.ts";
import { receiptHandlers } from "../../../src/server/files/receipt-handlers.ts";
import { sentPng, uniquePng } from "../../support/receipts.ts";
import type { Fixture, Site } from "./fixtures.ts";

interface Made {
  readonly id: string;
}

const found = ({ data }: { data: { receipts: { uuid: string }[] } }): string => data.receipts[0]?.uuid ?? "";

/** Of transactions that `deposit` and `withdraw` make, and of transfers. */
export const receiptFixtures = (
  deposit: (site: Site) => Promise<Made>,
  withdraw: (site: Site) => Promise<Made>,
  transfer: (site: Site) => Promise<Made>,
): Record<keyof typeof receiptRoutes, Fixture> => {
  const withReceipt = {
    deposit: async (site: Site) => {
      const { id } = await deposit(site);
      return { uuid: id, receipt: found(await receiptHandlers.addDepositReceipt(site.office.call(), sentPng(id))) };
    },
    withdrawal: async (site: Site) => {
      const { id } = await withdraw(site);
      return { uuid: id, receipt: found(await receiptHandlers.addWithdrawalReceipt(site.office.call(), sentPng(id))) };
    },
    transfer: async (site: Site) => {
      const { id } = await transfer(site);
      return { uuid: id, receipt: found(await receiptHandlers.addTransferReceipt(site.office.call(), sentPng(id))) };
    },
  };
  const of = (kind: keyof typeof withReceipt, plain: (site: Site) => Promise<Made>) => {
    const one = withReceipt[kind];
    return {
      list: { foreign: "not found", make: async (site) => ({ params: { uuid: (await one(site)).uuid } }) },
      add: {
        foreign: "not found",
        make: async (site) => ({ params: { uuid: (await plain(site)).id }, file: { name: "slip.png", bytes: uniquePng() } }),
      },
      read: { foreign: "not found", make: async (site) => ({ params: await one(site) }) },
      remove: { foreign: "not found", make: async (site) => ({ params: await one(site), body: { reason: "of another customer" } }) },
    } satisfies Record<string, Fixture>;
  };
  const deposits = of("deposit", deposit);
  const withdrawals = of("withdrawal", withdraw);
  const transfers = of("transfer", transfer);
  return {
    listDepositReceipts: deposits.list,
    addDepositReceipt: deposits.add,
    readDepositReceipt: deposits.read,
    removeDepositReceipt: deposits.remove,
    listWithdrawalReceipts: withdrawals.list,
    addWithdrawalReceipt: withdrawals.add,
    readWithdrawalReceipt: withdrawals.read,
    removeWithdrawalReceipt: withdrawals.remove,
    listTransferReceipts: transfers.list,
    addTransferReceipt: transfers.add,
    readTransferReceipt: transfers.read,
    removeTransferReceipt: transfers.remove,
  };
};
