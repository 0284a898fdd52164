import { expect, test } from "vitest";
import { embeddedRealtime } from "../../src/server/realtime/embedded.ts";
import type { SecretBox } from "../../src/server/secrets/secrets.ts";

const secrets = { derive: () => Buffer.alloc(32) } as unknown as SecretBox; // all that is asked of it

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "127.0.0.1"],
  ["::1", "[::1]"],
  ["10.0.0.7", "10.0.0.7"],
])("events reach the endpoint of a server that listens on %s", (listens, reached) => {
  const { host, port } = embeddedRealtime(secrets, listens, 8080);
  expect(host).toBe(reached);
  expect(new URL(`http://${host}:${port}/apps/x/events`).hostname).toBe(reached);
});
