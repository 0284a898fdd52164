import type { TransactionStatus } from "../../contract/transactions.ts";
import { untoldReason } from "../../contract/settings.ts";
import { minorDigitsOf } from "../../values/currencies.ts";
import { paragraphs, table } from "./html.ts";

const statuses: Readonly<Record<TransactionStatus, readonly [deposit: string, withdrawal: string, next: string]>> = {
  pending: ["Waits for the customer’s payment", "Waits for an operator; its money is held", "process, rejected, expired"],
  process: [
    "Reported paid or found at the bank; being checked",
    "An operator is paying it",
    "approved, rejected; a withdrawal also pending",
  ],
  approved: [
    "Credited to your balance",
    "Paid, and debited from your balance",
    "completed; an approval taken back within a minute: process or pending",
  ],
  completed: ["Approved, and your server has answered the callback", "Approved, and your server has answered the callback", "–"],
  rejected: ["Not credited", "Not paid; the held money is back in your balance", "–"],
  expired: [
    "Not paid in time",
    "Not begun in time; the held money is back in your balance",
    "a deposit: process, when its money came late",
  ],
};

/** The currencies whose decimals are not two, by number. */
function oddDecimals(): string {
  const codes = Intl.supportedValuesOf("currency").filter((code) => minorDigitsOf(code) !== 2);
  return [...Map.groupBy(codes, minorDigitsOf)].map(([digits, some]) => `${digits} in ${some.join(", ")}`).join("; ");
}

export function flowPart(): string {
  return `<section id="amounts"><h2>Amounts, currencies, times</h2>
${paragraphs(
  'Amounts are decimal texts such as `"120.00"`, never JSON numbers, without sign, exponent or separators. You may leave decimals out (`"120"`), but not send more than the currency has; more are refused with `amount.too-precise`. Answers carry at least two decimals, whatever the currency.',
  `Decimals by ISO 4217: ${oddDecimals()}; two in every other currency.`,
  "A merchant has one currency; a request in another is refused with `currency.invalid`.",
  "Times are RFC 3339 in UTC, such as `2026-11-24T08:00:00.125Z`.",
  'Answers come as `{"data": …}`, of lists with `"meta"` beside it; refusals as `{"message", "code", "data"?}`. Decide by the status and `code`; `message` is for people, in the language of `accept-language`. Ignore fields you do not know: more may come.',
)}</section>
<section id="deposits"><h2>Deposits</h2>
${paragraphs(
  "Create the deposit and show the customer the account in `pay_into` until `expires_at`. When the customer says it is paid, report it with the bank’s reference, with the receipt, or with both in this order. The callback tells the outcome.",
  "A receipt is sent as the file itself: the body is its bytes, and those bytes are what you sign as the body. `content-type` is `image/png`, `image/jpeg`, `image/webp`, `application/pdf` or `application/octet-stream`; what the bytes are decides. At most 5 MB, and ten receipts to a deposit.",
  "`credited` is what your balance got: `amount` less `fee`. Before the approval it is null.",
  "When the customer paid another amount than was asked, the operator may approve what arrived: `amount`, `fee` and `credited` are then of what arrived, and `asked_amount` is what you asked for. Do not credit your customer by the amount you remember, but by `amount`.",
)}</section>
<section id="withdrawals"><h2>Withdrawals</h2>
${paragraphs(
  "Creating a withdrawal holds `amount`, `fee` and, where you bear them, the highest possible `charges` in your balance. Which account pays, and so the charges, is known with the approval: `debited` is what it really cost, and the rest of the hold is back.",
  "While it is `pending` you can cancel it: it becomes `rejected` with the reason `merchant-asked`, and the whole hold returns. Once an operator has begun, cancelling is refused with `withdrawal.not-pending` and its state.",
)}</section>
<section id="statuses"><h2>Life cycle</h2>
${table(
  "Statuses",
  ["Status", "Deposit", "Withdrawal", "Next"],
  Object.entries(statuses).map(([status, [deposit, withdrawal, next]]) => [`\`${status}\``, deposit, withdrawal, next]),
)}
${paragraphs(
  `\`reject_reason\` is a code the operator has chosen to tell, \`${untoldReason}\` where it tells none, and \`merchant-asked\` after your own cancellation. Internal reasons are never told.`,
)}</section>
<section id="lists"><h2>Lists and cursors</h2>
${paragraphs(
  "`GET …/transactions` lists newest first. While `meta.next` is not null, ask again with the same filters and `cursor` set to it. `status` takes several, separated by commas; `created_from` is included, `created_to` is not.",
  "To keep your records equal to ours, begin with `updated_since` and go on with `cursor`: rows come in the order of their last change, and one that changes while you read comes again later. No change is skipped, not even one being written while you ask. This list always answers a cursor; when `data` is empty you are up to date, and the same cursor asks for what changes next. Store it. Leave filters by status out of such a list, or you will not learn that a row has left it.",
  "Callbacks are faster and lists surer: use both, and compare once an hour.",
)}</section>`;
}
