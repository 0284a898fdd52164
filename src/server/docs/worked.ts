import { merchantBase } from "../../contract/merchant-api.ts";
import { signRequest } from "../merchant-api/sign.ts";
import { signCallback } from "../outbox/sign.ts";
import { merchantKey } from "../secrets/merchant-key.ts";

/** A secret that belongs to nobody. */
const secret = `whsec_${Buffer.from("the 32 bytes of a worked example").toString("base64")}`;
const at = new Date("2026-11-24T08:00:00.125Z");

const request = {
  method: "POST",
  path: `${merchantBase}/deposits`,
  idempotencyKey: "0f8fad5b-d9cb-469f-a165-70867728950e",
  body: JSON.stringify({
    merchant_txn_no: "ORDER-1001",
    amount: "120.00",
    currency: "MYR",
    method: "bank_transfer",
    member: "customer-17",
    customer_name: "Tan Wei Ming",
  }),
};
const callback = {
  id: "019ab5c1-7d2e-7c41-9d0b-3a5f0c9e8b17",
  body: '{"type":"test","timestamp":"2026-11-24T08:00:00.125Z","data":{"merchant":"Harbour Play"}}',
};

/** The numbers of the page's examples, made by what signs and verifies in the product. */
export function workedExample() {
  const headers = signRequest({ apiKey: "DEMO_3f9a1c7e", secret }, request, at);
  const timestamp = headers["x-timestamp"];
  return {
    secret,
    keyHex: merchantKey(secret).toString("hex"),
    request,
    signed: ["v2", timestamp, request.method, request.path, request.idempotencyKey, request.body].join("\n"),
    headers,
    callback: { ...callback, headers: signCallback([secret], callback.id, at, callback.body) },
  };
}
