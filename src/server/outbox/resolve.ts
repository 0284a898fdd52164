import { Resolver } from "node:dns/promises";
import { isLocalName } from "./target.ts";

/** Two tries of a slow name server fit into an attempt's time-out. */
const options = { timeout: 2_500, tries: 2 };

/**
 * The addresses of a name, IPv4 first. It asks the name servers itself, because the system's resolver occupies one of the few threads for
 * files and passwords while a name server is silent. Rejects when `signal` aborts.
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
