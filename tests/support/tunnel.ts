import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";

export interface Tunnel {
  readonly port: number;
  /** The heads of what it was asked, in order of arrival. */
  readonly told: readonly string[];
  stop(): void;
}

/** A proxy on loopback that tunnels to whichever address it is told, or refuses with another status. */
export async function startTunnel(status = "200 OK"): Promise<Tunnel> {
  const told: string[] = [];
  const server = createServer((socket) => {
    socket.once("data", (head) => {
      told.push(head.toString());
      const [, host = "", port = ""] = /^CONNECT ([\d.]+):(\d+)/.exec(head.toString()) ?? [];
      socket.on("error", () => undefined);
      if (!status.startsWith("200")) return socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
      const to = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(to).pipe(socket);
      });
      to.on("error", () => socket.destroy());
      return undefined;
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { port, told, stop: () => server.close() };
}
