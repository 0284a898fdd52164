import type { z } from "zod";
import type { Route } from "../../contract/route.ts";
import type { Call } from "../api/call.ts";

/** Records named one by one; of more than these only the number is told. */
const mostNamed = 3;

type Listed<R extends Route> = z.output<R["answer"]> extends readonly (infer Row)[] ? Row : never;

/** The first of the records an event names, as their list has them, and how many are not among them. Where they cannot be read, that is all. */
export async function namedRecords<R extends Route>(
  call: Call,
  list: R,
  uuids: readonly string[],
): Promise<{ named: readonly Listed<R>[]; more: number }> {
  const sent = { query: { "filter[uuid]": uuids.join(","), limit: mostNamed } } as never; // as every list takes it
  const read = call(list, sent, { background: true, quiet: true });
  const named = await read.then(
    ({ data }) => data as readonly Listed<R>[], // a list answers rows
    () => [],
  );
  return { named, more: uuids.length - named.length };
}
