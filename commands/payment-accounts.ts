import { accountStatuses, paymentAccountRoutes as routes } from "../src/contract/payment-accounts.ts";
import { recordCommands } from "./records.ts";

export const paymentAccountCommands = recordCommands({
  subject: "payment-account",
  screen: "payment-accounts",
  may: {
    list: routes.listPaymentAccounts.permission,
    create: routes.createPaymentAccount.permission,
    update: routes.updatePaymentAccount.permission,
    status: routes.changePaymentAccountStatus.permission,
    remove: routes.deletePaymentAccount.permission,
  },
  statuses: accountStatuses,
  nameOf: ({ code }) => code,
  async setStatus({ uuid, version }, status, reason, { call }) {
    return (await call(routes.changePaymentAccountStatus, { params: { uuid }, body: { version, status, reason } })).data;
  },
  async remove({ uuid, version }, { call }) {
    await call(routes.deletePaymentAccount, { params: { uuid }, query: { version } });
  },
});
