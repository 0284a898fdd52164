import { readFileSync } from "node:fs";
import { bankNoticeRoutes, mostNotices } from "../../contract/bank-notices.ts";
import { block, paragraphs, table } from "./html.ts";
import { fieldHead, fieldsOf } from "./schema.ts";

const example = readFileSync(new URL("./examples/send-bank-line.sh", import.meta.url), "utf8");

/** How forwarders send what a bank tells by message or mail. */
export function noticesPart(): string {
  const { body, answer } = bankNoticeRoutes.sendBankLines;
  return `<section id="bank-lines"><h2>Bank notices</h2>
${paragraphs(
  "A phone or a mailbox that a bank notifies can send these notices as lines of the account’s statement; deposits are found by them. A payment account has a key and a secret of its own, which the operator makes, renews and revokes in the account’s record. They sign this one call and no other, and a merchant’s key does not sign it.",
)}
<h3 id="sendBankLines">POST <code>…/bank-lines</code></h3>
${paragraphs(
  `Signed as every request, by the account’s key; one to ${mostNotices} lines. All of them are added or, where one is wrong, none: \`request.invalid\` names each wrong field with its line, as \`lines.2.amount\`.`,
  "Send again what you are not sure of: a line with the same time, direction, amount, reference, counterparty and balance is there already and adds nothing; where reference and counterparty are both missing, the description counts. So an `idempotency-key` may be left out. Send the time to the second, because two equal payments within one minute are told apart by nothing else.",
)}
<h4>Body</h4>${table("Body of sendBankLines", fieldHead.input, fieldsOf(body, "input"))}
<h4>Answer: <code>data</code></h4>${table("Answer of sendBankLines", fieldHead.output, fieldsOf(answer, "output"))}
<h3>Shell: bash, openssl, curl</h3>
${paragraphs("Other languages sign as above; only the address and the body differ.")}
${block("send-bank-line in Shell", example, "send-bank-line-sh")}</section>`;
}
