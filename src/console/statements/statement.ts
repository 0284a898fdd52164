import type { RecordColumns } from "../../contract/record-columns.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { accountTransactionRoutes, merchantTransactionRoutes, StatementLine } from "../../contract/statements.ts";
import type { Description, Entity, RecordDetail } from "../entity/entity.ts";
import { defineEntity } from "../entity/entity.ts";
import { columnReader } from "../entity/column-value.ts";
import type { Column, Named, RecordLink } from "../entity/named.ts";
import { transactionScreens } from "../lists/counterpart.ts";

type Detail = RecordDetail<StatementLine>;

interface Statement {
  readonly screen: ScreenName;
  readonly subject: "merchant-transaction" | "payment-account-transaction";
  readonly list: typeof merchantTransactionRoutes.listMerchantStatementLines | typeof accountTransactionRoutes.listAccountStatementLines;
  readonly read: typeof merchantTransactionRoutes.readMerchantStatementLine | typeof accountTransactionRoutes.readAccountStatementLine;
  readonly columnMap: RecordColumns;
  /** Whose it is, and whom they dealt with, by the fields that name them. */
  readonly own: "merchant_code" | "account_code";
  readonly counterpart: "merchant_code" | "account_code";
}

/** A transaction is found among all of its kind, whatever its state is by now. */
function linkOf({ transaction, txn_no }: StatementLine): RecordLink | null {
  if (transaction === null) return null;
  return { screen: transactionScreens[transaction.kind], search: { view: "all" }, record: transaction.uuid, text: txn_no ?? "" };
}

type Shown = Omit<Column<StatementLine>, "width" | "minWidth" | "grow" | "rooms">;

/** What a statement tells of a line's transaction. */
const ofTransaction: readonly Shown[] = [
  { field: "status", as: "status" },
  { field: "merchant_txn_no", as: "mono" },
  { field: "customer_name" },
  { field: "amount", as: "amount" },
  { field: "charges", as: "amount" },
  { field: "charges_type", as: "choice" },
  { field: "charges_borne_by", as: "choice" },
  { field: "final_amount", as: "amount" },
  { field: "merchant_receive", as: "amount" },
  { field: "payment_date", as: "time" },
  { field: "requested_at", as: "time" },
  { field: "requested_by" },
  { field: "processed_at", as: "time" },
  { field: "processed_by" },
  { field: "approved_at", as: "time" },
  { field: "approved_by" },
  { field: "rejected_at", as: "time" },
  { field: "rejected_by" },
  { field: "reject_reason" },
  { field: "expired_at", as: "time" },
  { field: "completed_at", as: "time" },
  { field: "last_action_at", as: "time" },
  { field: "last_action_by" },
  { field: "remark" },
  { field: "receipt", as: "choice" },
];

const widths = { amount: 104, time: 156, mono: 148, status: 116, choice: 120, text: 132 } as const;
const asideOf = (shown: Shown): Column<StatementLine> => ({
  ...shown,
  rooms: [],
  width: widths[(shown.as ?? "text") as keyof typeof widths], // those named above are shown in no other way
});

/** The same of one line, where the line has it. */
const inDetail =
  (subject: Statement["subject"]) =>
  (shown: Shown): Named<Detail> => {
    const read = columnReader(subject, shown);
    return { ...shown, value: ({ row }) => read(row) };
  };
const isThere = (line: Named<Detail>, detail: Detail) => line.value?.(detail) != null && line.value(detail) !== "";

type Party = Statement["own"] | "counter_code";
const partyOf = {
  merchant_code: { screen: "merchants", uuid: "merchant_uuid", name: "merchant_name" },
  account_code: { screen: "payment-accounts", uuid: "account_uuid", name: "account_bank" },
  counter_code: { screen: "payment-accounts", uuid: "counter_uuid", name: "counter_bank" },
} as const;

/** The link to a line's merchant or payment account, and how they are called. */
const partyLine = (field: Party): Named<Detail> => ({
  field,
  links({ row }) {
    const { screen, uuid, name } = partyOf[field];
    const [record, code] = [row[uuid], row[field]];
    return record === null ? [] : [{ screen, record, text: [code, row[name]].filter(Boolean).join(" · ") }];
  },
});

/** What moved a wallet or a payment account, line by line, and the balance around the dates asked for. */
export function statementOf({ screen, subject, list, read, columnMap, own, counterpart }: Statement): Entity {
  const ofWallet = own === "merchant_code";
  const columns: readonly Column<StatementLine>[] = [
    { field: "created_at", as: "time", width: 156 },
    { field: own, as: "mono", width: 96 },
    { field: "kind", as: "choice", width: 132, minWidth: 112, grow: 1 },
    { field: "previous_balance", as: "amount", width: 112 },
    { field: "amount_out", as: "amount", width: 100 },
    { field: "amount_in", as: "amount", width: 100 },
    { field: "balance", as: "amount", width: 112 },
    { field: "fee", as: "amount", width: 84, ...(!ofWallet && { rooms: [] }) },
    { field: "txn_no", as: "mono", width: 148 },
    { field: counterpart, as: "mono", width: 96, ...(ofWallet && { rooms: [] }) },
    ...(ofWallet ? [] : [{ field: "counter_code", as: "mono", width: 96 } as const]),
    { field: "reference_no", as: "mono", width: 120 },
    { field: "source", as: "choice", width: 96, rooms: [] },
    ...ofTransaction.map(asideOf),
    { field: "by", width: 132, rooms: [] },
    { field: "reason", width: 160, rooms: [] },
  ];
  const lines = ofTransaction.map(inDetail(subject));
  const description: Description<StatementLine, Detail> & { readonly subject: typeof subject } = {
    screen,
    subject,
    words: "statement",
    routes: { list, read },
    titleOf: (row) => row[partyOf[own].name] ?? "",
    codeOf: (row) => row.txn_no ?? row[own] ?? "",
    order: "-created_at",
    window: { field: "created_at", initial: "today" },
    sums: ["amount_out", "amount_in", "fee", "previous_balance", "balance"],
    linkOf,
    columns,
    columnMap,
    firstFilters: ["created_at", own, "kind", "source", counterpart, ...(ofWallet ? ["hold"] : ["counter_code"]), "customer_name"],
    sections: [
      {
        name: "movement",
        lines: [
          { field: "kind", as: "choice", value: ({ row }) => row.kind },
          { field: "created_at", as: "time" },
          partyLine(own),
          { field: "source", as: "choice" },
          "by",
          "reason",
        ],
      },
      {
        name: "balance",
        lines: [
          { field: "previous_balance", as: "amount" },
          { field: "amount_out", as: "amount" },
          { field: "amount_in", as: "amount" },
          { field: "balance", as: "amount" },
          { field: "fee", as: "amount" },
        ],
      },
      {
        name: "transaction",
        applies: ({ row }) => row.transaction !== null,
        lines: [
          {
            field: "txn_no",
            links({ row }) {
              const link = linkOf(row);
              return link === null ? [] : [link];
            },
          },
          partyLine(counterpart),
          ...(ofWallet ? [] : [partyLine("counter_code")]),
          { field: "reference_no", as: "mono" },
        ],
        linesOf: (detail) => lines.filter((line) => isThere(line, detail)),
      },
    ],
  };
  return defineEntity(description);
}
