import type { ClientBase } from "pg";
import type { PayoutColumn, PayoutTemplateForm } from "../../contract/payout-templates.ts";
import { insertRows } from "./insert.ts";
import { seededRandom } from "./random.ts";

const column = (field: PayoutColumn["field"], title: string, value = ""): PayoutColumn => ({ field, title, value });

const templates: readonly PayoutTemplateForm[] = [
  {
    name: "Bulk transfer",
    bank: "Any bank",
    columns: [
      column("account_number", "Account"),
      column("holder", "Name"),
      column("bank", "Bank"),
      column("amount", "Amount"),
      column("currency", "Currency"),
      column("txn_no", "Reference"),
    ],
    head: true,
    delimiter: "comma",
    quotes: "needed",
    decimal_mark: "point",
    date_format: "YYYY-MM-DD",
    encoding: "utf-8",
  },
  {
    name: "Salary run",
    bank: "Maybank",
    columns: [
      column("line", ""),
      column("constant", "", "IBG"),
      column("paying_number", ""),
      column("account_number", ""),
      column("holder", ""),
      column("amount", ""),
      column("date", ""),
      column("txn_no", ""),
    ],
    head: false,
    delimiter: "pipe",
    quotes: "never",
    decimal_mark: "point",
    date_format: "DDMMYYYY",
    encoding: "windows-1252",
  },
];

/** A tenant's templates of banks' bulk files, from a generator of their own. */
export async function insertPayoutTemplates(client: ClientBase, tenant: string, seed: number, since: number): Promise<void> {
  const random = seededRandom(seed);
  const at = new Date(since);
  const texts = ["name", "bank", "delimiter", "quotes", "decimal_mark", "date_format", "encoding"] as const;
  await insertRows(
    client,
    "payout_templates",
    ["tenant_id uuid", "id uuid", "columns jsonb", "head boolean", ...texts.map((name) => `${name} text`), "created_at timestamptz"],
    templates.map((template) => [
      tenant,
      random.uuid(since),
      JSON.stringify(template.columns),
      template.head,
      ...texts.map((name) => template[name]),
      at,
    ]),
  );
}
