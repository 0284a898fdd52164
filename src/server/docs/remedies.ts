import type { commonProblems, merchantProblems, ProblemCode } from "../../contract/problems.ts";
import { problems } from "../../contract/problems.ts";
import { merchantRoutes } from "../../contract/merchant-api.ts";
import { refusalsOf } from "../../contract/route.ts";
import type { Route } from "../../contract/route.ts";
import { problemText } from "../texts.ts";

type RefusesOf<R> = R extends { readonly refuses: readonly (infer C extends ProblemCode)[] } ? C : never;
type MerchantRoutes = typeof merchantRoutes;
type MerchantCode =
  | (typeof commonProblems)[number]
  | (typeof merchantProblems)[number]
  | RefusesOf<MerchantRoutes[keyof MerchantRoutes]>
  | "request.idempotency-key-missing"
  | "request.idempotency-mismatch"
  | "request.in-progress";

const again = "Send it again with the same idempotency key, signed anew.";

/** What an integrator does about each refusal of the merchant API. */
const remedies: Readonly<Record<MerchantCode, string>> = {
  "request.invalid": "`data` names each wrong field with its rule. Correct the request and send it with a new idempotency key.",
  "amount.too-precise": "Use no more decimals than the currency has; `data` names the field.",
  "currency.invalid": "Send the currency of your merchant; reading the balance names it.",
  "amount.not-positive": "Send an amount above zero.",
  "request.malformed":
    "The body is not JSON, or the request is not HTTP as it should be. Send UTF-8 JSON with `content-type: application/json`.",
  "request.too-large": "Send a smaller body.",
  "request.unsupported-media": "Send `content-type: application/json`; for a receipt one of the types named there.",
  "request.too-many": "Wait as many seconds as `retry-after` says.",
  "not-found": "Check the address and the uuid. Another merchant’s transaction is answered so, too.",
  "server.failed": `A fault of ours. ${again}`,
  "server.unavailable": `Wait as \`retry-after\` says. ${again}`,
  "request.busy": `Wait as \`retry-after\` says. ${again}`,
  "request.idempotency-key-missing": "Send the header `idempotency-key`.",
  "request.idempotency-key-invalid": "Use 8 to 128 printable ASCII characters without blanks.",
  "request.idempotency-mismatch": "The key belongs to a request with another method, path or body. Use a new key for a new request.",
  "request.in-progress": `The first request with this key is still running. ${again}`,
  "signature.missing": "Send `x-api-key`, `x-timestamp` and `x-signature`.",
  "signature.invalid":
    "Compare with the worked example: the key is the decoded secret, the path has its query, the body is signed as the bytes sent, the idempotency key is the one sent. Check that the API key and secret belong together and the secret was not replaced.",
  "signature.milliseconds": "Divide by 1,000: `x-timestamp` is in seconds, and may have decimals.",
  "signature.upper-case": "Write the digits of the signature in lower case.",
  "signature.base64": "Write the signature as 64 hexadecimal digits in lower case. Only callbacks have theirs in base64.",
  "signature.stale": "Set your clock by NTP. Sign anew for each attempt, right before sending.",
  "signature.replayed": "Sign anew for each attempt; decimals in the timestamp tell equal requests of one second apart.",
  "merchant.address-refused": "Send from an address of your allow-list, or have yours added to it.",
  "merchant.inactive": "Ask the operator why your account is not active.",
  "merchant.number-taken": "You used this `merchant_txn_no` for a transaction of this type before. Read that one, or use a new number.",
  "merchant.insufficient-balance": "The balance does not cover amount, fee and charges. Read the balance; ask for less, or later.",
  "account.none-found": "No account can take this deposit now: another amount or method may fit, or the same one later.",
  "deposit.rate-limited":
    "`data.limit` says which limit of the account or of the customer (`data.scope`) is used up: `max_count` transactions or `turnover` in `data.window_minutes`, or `max_amount` of one. Ask again from `data.resets_at`, or for no more than `data.maximum`; where `resets_at` is null, deposits still open use it up, or the amount itself is too large.",
  "deposit.not-pending": "`data.status` says what it is now. It was reported paid, decided or expired before.",
  "receipt.type": "Send the bytes of a PNG, JPEG, WebP or PDF file; what they are counts, not what they are called.",
  "receipt.damaged": "Have the customer send the file again, or a picture of it.",
  "receipt.oversized": "Send a smaller picture, or fewer pages.",
  "receipt.active": "Send a picture of it, or a PDF without scripts and attachments.",
  "receipt.locked": "Send a picture of it, or a PDF without a password.",
  "receipt.known": "It is there already; nothing is left to do.",
  "receipt.limit": "The deposit has as many receipts as it can; ask the operator.",
  "withdrawal.not-pending": "`data.status` says what it is now. An operator has begun to pay it or has decided it; wait for the callback.",
  "provider.inactive": "The house has closed this provider for you. Ask the operator why.",
  "provider.maintenance": "`data.until` says when the maintenance ends; `retry-after` says the same in seconds. Ask again then.",
  "callback.no-address": "Have a callback URL set for your merchant.",
};

/** The codes of the merchant API in the order of the contract, each with its status, meaning and remedy. */
export function refusalRows(): string[][] {
  const used = new Set<ProblemCode>(Object.values<Route>(merchantRoutes).flatMap((route) => refusalsOf(route)));
  return (Object.keys(problems) as ProblemCode[]) // Object.keys widens
    .filter((code) => used.has(code))
    .map((code) => [
      String(problems[code]),
      `\`${code}\``,
      problemText(code),
      (remedies as Partial<Record<ProblemCode, string>>)[code] ?? "",
    ]);
}
