import { z } from "zod";
import { control } from "./controls.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Credentials as JSON (specification, point 5); empty: none, or those that are kept. */
export const JsonText = z
  .string()
  .trim()
  .max(10_000)
  .refine((text) => text === "" || isJson(text), "Must be valid JSON")
  .meta(control("json"));
