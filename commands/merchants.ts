import { merchantStatuses, tenantMerchantRoutes as routes } from "../src/contract/merchants.ts";
import { recordCommands } from "./records.ts";

export const merchantCommands = recordCommands({
  subject: "merchant",
  screen: "merchants",
  may: {
    list: routes.listMerchants.permission,
    create: routes.createMerchant.permission,
    update: routes.updateMerchant.permission,
    status: routes.changeMerchantStatus.permission,
    remove: routes.deleteMerchant.permission,
  },
  statuses: merchantStatuses,
  nameOf: ({ name }) => name,
  async setStatus({ uuid, version }, status, reason, { call }) {
    return (await call(routes.changeMerchantStatus, { params: { uuid }, body: { version, status, reason } })).data;
  },
  async remove({ uuid, version }, { call }) {
    await call(routes.deleteMerchant, { params: { uuid }, query: { version } });
  },
});
