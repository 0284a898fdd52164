import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { PayoutTemplateForm, payoutTemplateRoutes } from "../../contract/payout-templates.ts";
import { payoutTemplateColumns } from "../../contract/payout-templates.ts";
import type { StaffCall } from "../call.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { recordHandlers } from "../records/record-handlers.ts";

type TemplateRow = Selectable<Tables["payout_templates"]>;

const fieldsOf = ({ name, bank, columns, head, delimiter, quotes, decimal_mark, date_format, encoding }: PayoutTemplateForm) => ({
  name,
  bank,
  columns,
  head,
  delimiter,
  quotes,
  decimal_mark,
  date_format,
  encoding,
});

const { list, read, create, update, remove } = recordHandlers({
  entity: "payout-template",
  table: "payout_templates",
  columns: payoutTemplateColumns,
  stored: {
    name: { sort: [{ name: "name_key", type: "text" }] },
    bank: { sort: [{ name: "bank_key", type: "text" }] },
  },
  rows: ({ tenant }) => sql`select p.*, lower(p.name) as name_key, lower(p.bank) as bank_key
    from payout_templates p where p.tenant_id = ${tenant}`,
  view: ({ id, version, created_at, updated_at, ...row }: TemplateRow) => ({
    uuid: id,
    version,
    ...fieldsOf(row),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }),
  nameOf: ({ name }) => name,
  fields: (of: PayoutTemplateForm | TemplateRow) => fieldsOf(of),
  json: ["columns"],
  constraints: { payout_templates_name: { name: ["Already taken"] } },
});

export const payoutTemplateHandlers: Handlers<typeof payoutTemplateRoutes, StaffCall> = {
  listPayoutTemplates: list,
  readPayoutTemplate: read,
  createPayoutTemplate: create,
  updatePayoutTemplate: update,
  deletePayoutTemplate: remove,
};
