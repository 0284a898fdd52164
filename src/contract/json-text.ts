import { z } from "zod";
import { control } from "./controls.ts";

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
};

/** Credentials as JSON, an object or a list (specification, point 5); empty: none, or those that are kept. */
export const JsonText = z
  .string()
  .trim()
  .max(10_000)
  .refine((text) => text === "" || isJsonObject(text), "Must be valid JSON")
  .meta(control("json"));
