import { createHmac, timingSafeEqual } from "node:crypto";
import { merchantKey } from "../secrets/merchant-key.ts";

const signature = (secret: string, id: string, timestamp: string, body: string): Buffer =>
  createHmac("sha256", merchantKey(secret)).update(`${id}.${timestamp}.${body}`).digest();

/** The three headers of Standard Webhooks; two live secrets both sign. `at`: the time of this attempt. */
export function signCallback(secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${signature(secret, id, timestamp, body).toString("base64")}`).join(" "),
  };
}

/** What a receiver checks: one of the signatures is the secret's, and the timestamp is within five minutes of `now`. */
export function verifyCallback(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now: Date,
): boolean {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers[name]);
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > 300) return false;
  const wanted = signature(secret, id, timestamp, body);
  return signatures.split(" ").some((one) => {
    const [version, given] = one.split(",");
    const bytes = Buffer.from(given ?? "", "base64");
    return version === "v1" && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
  });
}
