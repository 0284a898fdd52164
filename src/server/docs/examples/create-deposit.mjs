// Node 20 or newer, no packages: BASE_URL=… API_KEY=… SECRET=whsec_… node create-deposit.mjs
import { createHmac, randomUUID } from "node:crypto";

const { BASE_URL, API_KEY, SECRET } = process.env;
const key = Buffer.from(SECRET.replace(/^whsec_/, ""), "base64");

async function call(method, path, body) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const timestamp = (Date.now() / 1000).toFixed(3);
  const idempotencyKey = method === "GET" ? "" : randomUUID();
  const signed = ["v2", timestamp, method, path, idempotencyKey, text].join("\n");
  const answer = await fetch(BASE_URL + path, {
    method,
    headers: {
      "x-api-key": API_KEY,
      "x-timestamp": timestamp,
      "x-signature": `v2=${createHmac("sha256", key).update(signed).digest("hex")}`,
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      ...(text && { "content-type": "application/json" }),
    },
    ...(text && { body: text }),
  });
  return { status: answer.status, ...(await answer.json()) };
}

const answer = await call("POST", "/service/payment/api/merchant/v1/deposits", {
  merchant_txn_no: `ORDER-${Date.now()}`,
  amount: "120.00",
  currency: process.env.CURRENCY ?? "MYR",
  method: "bank_transfer",
  member: "customer-17",
  customer_name: "Tan Wei Ming",
});
console.log(JSON.stringify(answer));
