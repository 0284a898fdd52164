import { once } from "node:events";
import type { Socket } from "node:net";
import { connect } from "node:net";

/** Ms a client keeps its connection: less than the server's time-out for a silent one. */
const patience = 18_000;

export interface HeldConnection {
  readonly socket: Socket;
  heard(): string;
  /** Whether the client gave up before the server closed the connection. */
  hadEnough(): boolean;
}

/** A connection that never closes its own end; it sends `words` and records the answer until its patience ends. */
export async function hold(url: string, words: string): Promise<HeldConnection> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
  let heard = "";
  let over = false;
  socket.on("error", () => undefined); // cut off
  socket.on("data", (chunk) => (heard += chunk.toString()));
  await once(socket, "connect");
  if (words !== "") socket.write(words);
  const timer = setTimeout(() => {
    over = true;
    socket.destroy();
  }, patience);
  socket.once("close", () => clearTimeout(timer));
  return { socket, heard: () => heard, hadEnough: () => over };
}

const request = (head: string) => `${head}\r\nhost: x\r\n`;
const login = "POST /service/centralize-authenticate/api/tenant/v1/auth/login HTTP/1.1";

/** What a client sends on a connection it holds open; `first`: what it has received by then. */
export const holds: readonly [does: string, words: string, first: string][] = [
  ["keeps a silent connection after an answer", `${request("GET /healthz HTTP/1.1")}\r\n`, '{"status":"ok"}'],
  ["has opened a connection ahead and said nothing", "", ""],
  ["stands in the headers of a request", `${request("GET /healthz HTTP/1.1")}x-slow: a`, ""],
  ["stands in the body of a request", `${request(login)}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"email":`, ""],
  ["was refused an upgrade", `${request("GET /elsewhere HTTP/1.1")}upgrade: websocket\r\nconnection: upgrade\r\n\r\n`, "HTTP/1.1 404"],
];
