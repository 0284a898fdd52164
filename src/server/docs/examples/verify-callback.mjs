// WEBHOOK_ID=… WEBHOOK_TIMESTAMP=… WEBHOOK_SIGNATURE=… SECRET=whsec_… node verify-callback.mjs < body
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";

const { SECRET, WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE } = process.env;
const key = Buffer.from(SECRET.replace(/^whsec_/, ""), "base64");

function isGenuine(id, timestamp, signatures, body) {
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const wanted = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(" ").some((one) => {
    const [version, text] = one.split(",");
    const given = Buffer.from(text ?? "", "base64");
    return version === "v1" && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

// the bytes as they came, not parsed and written again
console.log(isGenuine(WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE, readFileSync(0)) ? "genuine" : "forged");
