import { z } from "zod";

/** A file too large to be held: the server sends its pieces as they come from the store, a client receives the bytes. */
export const LargeFileAnswer = z.object({
  type: z.string(),
  name: z.string(),
  size: z.int(),
  bytes: z.custom<AsyncIterable<Uint8Array> | Uint8Array<ArrayBuffer>>((value) => typeof value === "object" && value !== null),
});

/** A file as a route answers it. */
export const FileAnswer = z.object({
  type: z.string(),
  name: z.string(),
  bytes: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
});
