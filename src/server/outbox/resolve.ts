import { Resolver } from "node:dns/promises";
import { isLocalName } from "./target.ts";

/** What a name server takes its time with, in two tries, fits into an attempt's time-out. */
const options = { timeout: 2_500, tries: 2 };

/**
 * The addresses of a name, IPv4 first. It asks the name servers itself: the system's call holds a thread of the few this process has
 * for files and passwords, for as long as a name server keeps silent. Rejects when `signal` aborts.
 */
export async function resolveName(name: string, signal: AbortSignal, servers?: readonly string[]): Promise<readonly string[]> {
  if (isLocalName(name)) return ["127.0.0.1", "::1"];
  signal.throwIfAborted();
  const resolver = new Resolver(options);
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length === 0 && answers[0].status === "rejected") throw answers[0].reason;
    return addresses;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
