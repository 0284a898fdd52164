import { z } from "zod";
import { merchantBase, MerchantTransaction, merchantRoutes } from "../../contract/merchant-api.ts";
import { refusalsOf } from "../../contract/route.ts";
import type { Route } from "../../contract/route.ts";
import { callbacksPart } from "./guide-callbacks.ts";
import { flowPart } from "./guide-flow.ts";
import { noticesPart } from "./guide-notices.ts";
import { signingPart } from "./guide-signing.ts";
import { escape, page, paragraphs, table, words } from "./html.ts";
import { refusalRows } from "./remedies.ts";
import { fieldHead, fieldsOf } from "./schema.ts";

/** Credentials anyone may try requests with. */
export interface TryIt {
  readonly apiKey: string;
  readonly secret: string;
  readonly currency: string;
}

/** A table of the fields of a schema. */
const fields = (label: string, schema: z.ZodType, io: "input" | "output") => table(label, fieldHead[io], fieldsOf(schema, io));

/** The fields of an answer; those of a transaction stand once, for all calls. */
function answerPart(name: string, answer: z.ZodType): string {
  if (answer === MerchantTransaction) return '<p><a href="#transaction">A transaction</a>.</p>';
  if (answer instanceof z.ZodArray && answer.element === MerchantTransaction)
    return '<p>A list of <a href="#transaction">transactions</a>.</p>';
  return fields(`Answer of ${name}`, answer, "output");
}

function callPart([name, route]: [string, Route]): string {
  const { method, path, params, query, body, file, answer, refuses } = route;
  const part = (title: string, text: string) => `<h4>${title}</h4>${text}`;
  const common = refusalsOf({ ...route, refuses: [] });
  const own = (refuses ?? []).filter((code) => !common.includes(code));
  return `<h3 id="${name}">${method} <code>${escape(path.replace(merchantBase, "…"))}</code></h3>
${paragraphs(callTexts[name] ?? "")}
${route.money ? paragraphs("Needs an `idempotency-key`.") : ""}
${params ? part("Path", fields(`Path of ${name}`, params, "input")) : ""}
${query ? part("Query", fields(`Query of ${name}`, query, "input")) : ""}
${body ? part("Body", fields(`Body of ${name}`, body, "input")) : ""}
${file ? part("Body", paragraphs(`The bytes of the file, at most ${file.most / 1024 ** 2} MiB.`)) : ""}
${part("Answer: <code>data</code>", answerPart(name, answer))}
${own.length > 0 ? paragraphs(`Refuses with ${own.map((code) => `\`${code}\``).join(", ")}, and what every call refuses with.`) : ""}`;
}

/** What each call is for. */
const callTexts: Readonly<Record<string, string>> = {
  createDeposit: "A customer is going to pay: answers the account to pay into.",
  reportDepositPaid: "The customer says it is paid: an operator looks for the money.",
  sendDepositReceipt: "The customer’s receipt; a deposit still pending is thereby reported paid.",
  createWithdrawal: "A customer is to be paid: holds the money in your balance.",
  cancelWithdrawal: "Takes a pending withdrawal back; the whole hold returns.",
  listMerchantTransactions: "Your transactions, newest first, or in the order of their last change.",
  readMerchantTransaction: "One of your transactions.",
  readBalance: "What you can withdraw, and what withdrawals hold.",
  listMyProviders: "Your set-ups at game providers, and whether each can be played on.",
  listMyGames:
    "The games of one of them, by code. While the whole provider is down for maintenance it is refused with `provider.maintenance`, whose `data.until` says when that ends.",
  sendTestCallback: "Sends a signed event `test` to your callback URL, once, and answers what came of it. Six a minute.",
};

function limitsPart(most: number): string {
  return `<section id="limits"><h2>Limits</h2>
${paragraphs(
  `A key may send ${most} requests in each minute of the clock, and so may an address. Every answer to a signed request carries \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\` (seconds until the next minute). Above the limit the answer is 429 \`request.too-many\` with \`retry-after\` in seconds.`,
  "A JSON body has at most 256 KiB. An unfinished request is ended after 15 seconds.",
)}</section>`;
}

function tryPart({ apiKey, secret, currency }: TryIt): string {
  const common = `"merchant_txn_no": "TRY-{{number}}",\n  "amount": "120",\n  "currency": "${currency}",\n  "method": "bank_transfer",\n  "member": "customer-17",\n  "customer_name": "Tan Wei Ming"`;
  const bodies = {
    [`POST ${merchantBase}/deposits`]: `{\n  ${common}\n}`,
    [`POST ${merchantBase}/withdrawals`]: `{\n  ${common},\n  "bank": "Maybank",\n  "account_number": "514012345678",\n  "holder": "TAN WEI MING"\n}`,
  };
  const calls = [
    `GET ${merchantBase}/balance`,
    `GET ${merchantBase}/transactions?limit=3`,
    ...Object.keys(bodies),
    `POST ${merchantBase}/callbacks/test`,
  ];
  return `<section id="try"><h2>Try it</h2>
${paragraphs("This server holds demo data. The form signs by the credentials of one of its merchants, in your browser, and shows the whole request and answer. `{{number}}` becomes a new number.")}
<form id="try-form" data-key="${escape(apiKey)}" data-secret="${escape(secret)}" data-bodies="${escape(JSON.stringify(bodies))}">
<label>Call <select name="call">${calls.map((call) => `<option>${escape(call)}</option>`).join("")}</select></label>
<label>Path <input name="path" autocomplete="off" spellcheck="false"></label>
<label>Body <textarea name="body" spellcheck="false"></textarea></label>
<button type="submit">Sign and send</button></form>
<pre id="try-answer" tabindex="0" role="region" aria-label="Request and answer" aria-live="polite"></pre></section>`;
}

/** The documentation of the merchant API: all an integrator needs. `most`: requests per minute and key. */
export function guide(most: number, tryIt: TryIt | null): string {
  const calls = Object.entries<Route>(merchantRoutes);
  const contents = [
    ["signing", "Signing requests"],
    ["examples", "Examples"],
    ["idempotency", "Idempotency keys"],
    ["amounts", "Amounts, times"],
    ["deposits", "Deposits"],
    ["withdrawals", "Withdrawals"],
    ["statuses", "Life cycle"],
    ["lists", "Lists and cursors"],
    ["callbacks", "Callbacks"],
    ["bank-lines", "Bank notices"],
    ["calls", "Calls"],
    ["refusals", "Refusals"],
    ["limits", "Limits"],
    ...(tryIt ? [["try", "Try it"]] : []),
  ] as const;
  const link = (id: string, text: string) => `<li><a href="#${id}">${words(text)}</a></li>`;
  const nav = `<ul>${contents.map(([id = "", text = ""]) => link(id, text)).join("\n")}</ul>
<p><a href="/docs/all">All routes</a><br><a href="/docs/openapi.json">openapi.json</a></p>`;
  const main = `<h1>Merchant API</h1>
${paragraphs(
  `Deposits and withdrawals for your customers. Every address below begins with \`${merchantBase}\` on this server, written \`…\`; requests and answers are JSON in UTF-8.`,
)}
${signingPart()}${flowPart()}${callbacksPart()}${noticesPart()}
<section id="calls"><h2>Calls</h2>
<h3 id="transaction">A transaction</h3>${fields("A transaction", MerchantTransaction, "output")}
${calls.map(callPart).join("\n")}</section>
<section id="refusals"><h2>Refusals</h2>
${paragraphs("Each refusal has a status, a `code` that does not change, and a message for people.")}
${table("Refusals", ["Status", "Code", "Meaning", "Remedy"], refusalRows())}</section>
${limitsPart(most)}${tryIt ? tryPart(tryIt) : ""}`;
  return page("Merchant API", nav, main, tryIt ? '<script type="module" src="/docs/try.js"></script>' : "");
}
