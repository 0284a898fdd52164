import { placeholder } from "../../contract/provider-checks.ts";
import { CheckFault } from "./adapter.ts";
import type { CredentialValues } from "./adapter.ts";

/** What stands in place of a secret wherever people read. */
export const mask = "••••";

/** How a value is written where it is filled in. */
export type Writing = (value: string) => string;
export const plainly: Writing = (value) => value;
export const inUrl: Writing = encodeURIComponent;
/** Within a JSON text's quotes; a number needs none. */
export const inJson: Writing = (value) => JSON.stringify(value).slice(1, -1);

/** A text with its placeholders filled in, as it is sent and as people may read it. */
export interface Filled {
  readonly sent: string;
  readonly shown: string;
}

function valueAt(credentials: CredentialValues, path: string): string | null {
  let value: unknown = credentials;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Readonly<Record<string, unknown>>)[name]; // it has it
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** Fills credentials into a template. Throws a CheckFault that names the first it does not find. */
export function fill(template: string, credentials: CredentialValues, written: Writing): Filled {
  const sent = template.replaceAll(placeholder, (_, path: string) => {
    const value = valueAt(credentials, path);
    if (value === null) throw new CheckFault("no-credential", path);
    return written(value);
  });
  return { sent, shown: template.replaceAll(placeholder, mask) };
}

/** Shorter values stand in every other text: masking them would tell where they are and hide the rest. */
const shortest = 4;

function* leaves(value: unknown): Generator<string> {
  if (typeof value === "string" || typeof value === "number") yield String(value);
  else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) yield* leaves(one);
}

/** Takes every credential out of a text, however it is written there: as it is, in a URL, in JSON, in base64. */
export function masker(credentials: CredentialValues): (text: string) => string {
  const secrets = [...leaves(credentials)].filter((one) => one.length >= shortest);
  const base64 = secrets.map((one) => Buffer.from(one).toString("base64").replace(/=+$/, ""));
  const forms = new Set([
    ...secrets,
    ...secrets.map(inUrl),
    ...secrets.map(inJson),
    ...secrets.map((one) => inJson(one).replaceAll("/", "\\/")),
    ...base64,
  ]);
  // the longest first, because one may be part of another
  const ordered = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, secret) => masked.replaceAll(secret, mask), text);
}
