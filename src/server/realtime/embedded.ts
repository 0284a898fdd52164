import type { RealtimeConfig } from "../config.ts";
import type { SecretBox } from "../secrets/secrets.ts";

/** The server's own endpoint, when it listens at this address. */
export function embeddedRealtime(secrets: SecretBox, host: string, port: number): RealtimeConfig {
  return {
    appId: "countinghouse",
    key: secrets.derive("realtime key").toString("hex").slice(0, 20),
    secret: secrets.derive("realtime secret").toString("hex"),
    cluster: undefined,
    // the server itself, by loopback when it listens on all addresses
    host: host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host,
    port,
    tls: false,
    embedded: true,
  };
}
