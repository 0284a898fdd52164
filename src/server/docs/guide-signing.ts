import { readFileSync } from "node:fs";
import { oldSignaturesUntil } from "../../contract/merchant-api.ts";
import { idempotencyHours } from "../../contract/wire.ts";
import { tolerance } from "../merchant-api/authenticate.ts";
import { block, paragraphs, steps, table } from "./html.ts";
import { workedExample } from "./worked.ts";

const example = (name: string) => readFileSync(new URL(`./examples/${name}`, import.meta.url), "utf8");

/** The three languages of the examples: name on the page → how its files end. */
const languages = { "Shell: bash, openssl, curl": "sh", "JavaScript: Node": "mjs", Python: "py" } as const;

/** One example in each language, as the files a test runs. */
export const inEachLanguage = (name: string): string =>
  Object.entries(languages)
    .map(([language, end]) => `<h3>${language}</h3>${block(`${name} in ${language}`, example(`${name}.${end}`), `${name}-${end}`)}`)
    .join("\n");

export function signingPart(): string {
  const { secret, keyHex, request, signed, headers } = workedExample();
  return `<section id="signing"><h2>Signing requests</h2>
${paragraphs(
  "You hold two values: the API key (`x-api-key`), which names you, and the secret, which is never sent. The secret begins with `whsec_`; what follows is the key in base64. Those decoded bytes are the HMAC key of your requests and of the callbacks you receive.",
)}
${steps(
  "Decode what follows `whsec_` in the secret from base64: the key.",
  "Take the time in seconds since 1970, with up to six decimals. It must be within " +
    `${tolerance} seconds of the server’s. Decimals tell equal requests of one second apart.`,
  "Take the body as the exact bytes you will send; nothing for a request without a body. Serialise once, and send what you signed.",
  "Join six parts by single line feeds, with none at the end: `v2`, the timestamp, the method in upper case, the path with its query exactly as sent, the idempotency key exactly as sent (nothing where none is sent), the body.",
  "Make the HMAC-SHA256 of that text by the key, as 64 hexadecimal digits in lower case.",
  "Send `x-api-key`, `x-timestamp`, `x-signature: v2=` followed by the digits, `idempotency-key` where you signed one, and `content-type: application/json` with a body.",
)}
${paragraphs("A signature is good once. Whoever repeats a request signs it anew, with a new timestamp and the same idempotency key.")}
<h3 id="worked">Worked example</h3>
${paragraphs("The secret, which belongs to nobody, and its key in hexadecimal digits:")}
${block("Secret", secret, "worked-secret")}${block("Key", keyHex, "worked-key")}
${paragraphs(`What is signed for \`${request.method} ${request.path}\`, six parts on six lines:`)}
${block("What is signed", signed, "worked-signed")}
${paragraphs("The headers of the request:")}
${block(
  "Headers",
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n"),
  "worked-headers",
)}
<h3>What is often wrong</h3>
${table(
  "Mistakes",
  ["Mistake", "Answer"],
  [
    ["The timestamp is in milliseconds", "`signature.milliseconds`"],
    ["The digits are in upper case", "`signature.upper-case`"],
    ["The signature is in base64", "`signature.base64`"],
    [
      "The text of the secret is the key, instead of the bytes it stands for",
      `taken until ${oldSignaturesUntil.slice(0, 10)}, then \`signature.invalid\``,
    ],
    ["The body is serialised again after signing", "`signature.invalid`"],
    ["The path is signed without its query", "`signature.invalid`"],
    ["The clock is off", "`signature.stale`"],
    ["A request is sent again without signing anew", "`signature.replayed`"],
  ],
)}
<h3 id="old-forms">Old forms</h3>
${paragraphs(
  `Until ${oldSignaturesUntil} two older forms are taken, too: a signature by the text of the whole secret instead of its decoded bytes; and one without \`v2=\`, by that text over \`timestamp.METHOD.path.body\`. Their answers carry the headers \`deprecation\` and \`sunset\`. Nothing else about a request differs.`,
)}
</section>
<section id="examples"><h2>A deposit, in three languages</h2>
${paragraphs("Each creates a deposit and prints the answer. They need the address of this server, your API key and your secret in the environment, and no package.")}
${inEachLanguage("create-deposit")}</section>
<section id="idempotency"><h2>Idempotency keys</h2>
${paragraphs(
  "Every request that moves money needs an `idempotency-key`: 8 to 128 printable ASCII characters without blanks, such as a UUID. On other writes it may be left out.",
  `For ${idempotencyHours} hours the same key with the same method, path and body has one effect and the same answer, refusals by a rule (409, 422) included. Keys are yours alone: another merchant’s equal key is another key.`,
  "When an answer does not come (a time-out, a lost connection, a 5xx), send the same request with the same key, signed anew. A 401, 429 or 5xx is not kept: the request may be tried again with its key.",
  "The key is part of what is signed. The same key with other content is refused with `request.idempotency-mismatch`; while the first request runs, a second waits up to two seconds for its answer, and is then refused with `request.in-progress`.",
  "`merchant_txn_no` protects for good: a second deposit, or a second withdrawal, with the same number is refused with `merchant.number-taken`, however old the first is.",
)}</section>`;
}
