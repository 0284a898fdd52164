import { z } from "zod";
import { control } from "./controls.ts";

/** An http or https URL; empty: none. */
export const Url = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === "" || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)), "Must be a URL")
  .meta(control("url"));

/** A URL that opens an app: of any scheme that names one, but of none that a browser runs or reads files by; empty: none. */
export const AppUrl = z
  .string()
  .trim()
  .max(500)
  .refine(
    (text) => text === "" || (URL.canParse(text) && !/^(javascript|data|vbscript|file|blob|about):$/.test(new URL(text).protocol)),
    "Must be a URL",
  )
  .meta(control("url"));

/** Comma list of IPv4 or IPv6 addresses or networks (specification, point 5). */
export const IpList = z
  .string()
  .trim()
  .max(2000)
  .refine(
    (text) => text.split(",").every((part) => part.trim() === "" || /^[0-9a-fA-F:.]{2,45}(\/\d{1,3})?$/.test(part.trim())),
    "Must be IP addresses, comma separated",
  )
  .meta(control("list"));
