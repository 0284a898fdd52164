import { z } from "zod";

/** A file as a route answers it. */
export const FileAnswer = z.object({
  type: z.string(),
  name: z.string(),
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
});
