import { z } from "zod";
import { amountFields, fieldTexts } from "./field-texts.ts";

/** Leaves out controls (contract/controls.ts), which do not concern API callers. */
const withoutControls = z.registry<Record<string, never>>();

/** A schema of the contract as JSON Schema. */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any", metadata: withoutControls });
  return json;
}

interface Json {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly items?: Json;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The head of a table of fields. */
export const fieldHead = {
  input: ["Field", "Type", "Required", "Meaning", "Values"],
  output: ["Field", "Type", "Always", "Meaning", "Values"],
} as const;

/** Every field of a schema, by its path: name, type, whether it is always there, meaning, and bounds. */
export function fieldsOf(schema: z.ZodType, io: "input" | "output"): string[][] {
  return rowsOf(schemaOf(schema, io) as Json, "", true); // made by zod
}

function rowsOf(json: Json, path: string, needed: boolean): string[][] {
  if (json.type === "array" && json.items) return rowsOf(json.items, `${path}[]`, needed);
  const options = json.anyOf?.filter(({ type }) => type !== "null");
  const [only] = options ?? [];
  if (only && options?.length === 1) {
    return rowsOf(only, path, needed).map((row, at) => (at === 0 ? row.with(1, `${row[1]} or null`) : row));
  }
  const isRoot = path === "" || path === "[]";
  const row = (type: string, values: string) => [`\`${path}\``, type, needed ? "yes" : "no", fieldTexts[nameOf(path)] ?? "", values];
  if (!json.properties) return [row(typeOf(json, path), boundsOf(json, path))];
  const inner = Object.entries(json.properties).flatMap(([name, one]) =>
    rowsOf(one, isRoot ? name : `${path}.${name}`, json.required?.includes(name) ?? false),
  );
  return isRoot ? inner : [row("object", ""), ...inner];
}

const nameOf = (path: string): string => path.split(".").at(-1)?.replace(/\[\]$/, "") ?? "";

function typeOf({ type, format }: Json, path: string): string {
  if (amountFields.has(nameOf(path))) return "amount";
  if (format === "date-time") return "time";
  if (format === "uuid") return "uuid";
  const types = typeof type === "string" ? [type] : (type ?? ["text"]);
  return types.map((one) => (one === "string" ? "text" : one)).join(" or ");
}

function boundsOf(json: Json, path: string): string {
  if (amountFields.has(nameOf(path))) return "";
  const { enum: values, minLength, maxLength, minimum, maximum, default: given, pattern, format } = json;
  const bound = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return [
    values && values.map((value) => `\`${String(value)}\``).join(", "),
    bound(minLength) && maxLength !== undefined && `${minLength} to ${maxLength} characters`,
    minLength === undefined && maxLength !== undefined && `at most ${maxLength} characters`,
    bound(minimum) && bound(maximum) && `${minimum} to ${maximum}`,
    given !== undefined && given !== "" && `\`${String(given)}\` when left out`,
    pattern !== undefined && format === undefined && pattern.length < 40 && `pattern \`${pattern}\``,
  ]
    .filter(Boolean)
    .join("; ");
}
