import { createServer } from "node:net";
import type { Socket } from "node:net";
import type { TestProject } from "vitest/node";

/** Signals the end of the run to processes that keep something, and waits until they have ended it; the database goes last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.resume();
    socket.on("error", () => undefined);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a port was expected");
  project.provide("keptUntil", address.port);
  return async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of open) socket.end();
    await closed;
  };
}
