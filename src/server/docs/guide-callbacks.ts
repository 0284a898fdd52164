import { CallbackTransaction } from "../../contract/merchant-api.ts";
import { attemptDelays } from "../outbox/schedule.ts";
import { block, paragraphs, steps, table } from "./html.ts";
import { inEachLanguage } from "./guide-signing.ts";
import { fieldHead, fieldsOf } from "./schema.ts";
import { workedExample } from "./worked.ts";

const events: readonly (readonly [string, string])[] = [
  ["deposit.approved", "The deposit is credited to your balance"],
  ["deposit.rejected", "It is not"],
  ["deposit.expired", "It was not paid in time; its money may still come late, and `deposit.approved` follow"],
  ["withdrawal.approved", "The withdrawal is paid"],
  ["withdrawal.rejected", "It is not paid, and the held money is back; also after your own cancellation"],
  ["withdrawal.expired", "Nobody began it in time, and the held money is back"],
  ["test", "You asked for it by `POST …/callbacks/test`; `data` has no transaction"],
];

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

export function callbacksPart(): string {
  const { secret, callback } = workedExample();
  return `<section id="callbacks"><h2>Callbacks</h2>
${paragraphs("A decision is posted to your callback URL as JSON, by the rules of Standard Webhooks (standardwebhooks.com), whose libraries verify it in many languages.")}
${table(
  "Events",
  ["`type`", "Meaning"],
  events.map(([type, text]) => [`\`${type}\``, text]),
)}
<h3>Body</h3>
${paragraphs('`{"type", "timestamp", "data"}`; of a transaction `data` has these fields.')}
${table("Fields of data", fieldHead.output, fieldsOf(CallbackTransaction, "output"))}
<h3>Headers</h3>
${table(
  "Headers",
  ["Header", "Meaning"],
  [
    ["`webhook-id`", "The callback’s id: the same in every attempt, another for every event"],
    ["`webhook-timestamp`", "The time of this attempt, in seconds since 1970"],
    [
      "`webhook-signature`",
      "One or more signatures, separated by blanks: `v1,` and base64. While a former secret is still good, both sign",
    ],
  ],
)}
<h3>Verifying</h3>
${steps(
  "Take the body as the bytes that came, before any parsing.",
  "Join `webhook-id`, `webhook-timestamp` and the body by full stops.",
  "Make the HMAC-SHA256 by the decoded key of your secret, the one that signs your requests, in base64.",
  "Compare in constant time with each signature that begins with `v1,`; one that is equal is enough.",
  "Refuse a timestamp more than five minutes from your time.",
)}
${paragraphs(`Worked example, by the secret \`${secret}\`:`)}
${block(
  "Headers of a callback",
  Object.entries(callback.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n"),
  "worked-callback-headers",
)}${block("Body of a callback", callback.body, "worked-callback-body")}
${inEachLanguage("verify-callback")}
<h3 id="delivery">Delivery</h3>
${paragraphs(
  "Answer with any 2xx within 15 seconds; the answer’s body is not read. Anything else is a failure: another status, a redirect (it is not followed), no answer in time.",
  `A failed callback is tried ${attemptDelays.length} times in all. Waits before each attempt: ${attemptDelays.map(duration).join(", ")}; each but the first varies by a fifth either way. After the last, an operator can send it again, with the same id.`,
  "An address that keeps failing is tried more rarely, with one callback at a time, until it answers again.",
  "Callbacks come at least once. Store `webhook-id`, and answer 2xx without a further effect to one you have seen.",
  "Callbacks of different transactions come in any order. Of one transaction, an older one is not begun again once a newer decision is made; one already under way may still arrive after it. Keep the state with the later `updated_at`.",
  "An approval that can still be taken back is told only when it no longer can be, at most a minute later.",
  "The address is https on port 443 at a public address; its certificate is checked. The user agent is `Countinghouse/1`.",
  "An approved transaction becomes `completed` with your 2xx. That sends no callback.",
)}</section>`;
}
