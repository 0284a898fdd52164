import { randomUUID } from "node:crypto";
import type { PayoutTemplateForm } from "../../src/contract/payout-templates.ts";
import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

/** As a bank might ask for it. */
export const templateForm = (more: Partial<PayoutTemplateForm> = {}): PayoutTemplateForm => ({
  name: `Bulk transfer ${randomUUID()}`,
  bank: "Maybank",
  columns: [
    { field: "account_number", title: "Account", value: "" },
    { field: "holder", title: "Name", value: "" },
    { field: "amount", title: "Amount", value: "" },
    { field: "txn_no", title: "Reference", value: "" },
  ],
  head: true,
  delimiter: "comma",
  quotes: "needed",
  decimal_mark: "point",
  date_format: "YYYY-MM-DD",
  encoding: "utf-8",
  ...more,
});

/** Inserted as the owner. */
export async function makePayoutTemplate({ owner }: TestDatabase, tenant: Tenant, more: Partial<PayoutTemplateForm> = {}): Promise<string> {
  const { columns, ...form } = templateForm(more);
  const values = { tenant_id: tenant.id, ...form, columns: JSON.stringify(columns) };
  const { rows } = await owner.query<{ id: string }>(
    `insert into payout_templates (${Object.keys(values).join(", ")}) values (${Object.keys(values).map((_, at) => `$${at + 1}`)}) returning id`,
    Object.values(values),
  );
  return rows[0]?.id ?? "";
}
