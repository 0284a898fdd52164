import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** ms a silent socket is kept, and one that does not read its answer; none while a handler works, whose answer is still to come. */
export const silenceMs = 20_000;
/** ms a request may go on arriving once the server ends, and a socket of another protocol may say its farewell. */
const arrivingMs = 1_500;
/** ms the answers under way have once the server is about to end. */
const answeringMs = 4_500;

/** The sockets of an HTTP server: kept while it works for them, and let go when it ends. */
export interface Connections {
  /** The server is about to end: every answer is its connection's last. */
  readonly isDraining: boolean;
  drain(): void;
  /** Resolves when no answer is under way, or none has come for long enough. */
  answered(): Promise<void>;
  /** An answer is being sent on this socket: its client must read. */
  sends(socket: Socket): void;
  /**
   * Lets every socket go: those that wait for nothing at once, the others when they have their answer, at the latest after a moment.
   * To be called beside the server's own close, which waits for all of them.
   */
  end(): void;
}

export function trackConnections(server: Server): Connections {
  /** The requests each socket waits for; null once it speaks another protocol, which says its own farewell. */
  const sockets = new Map<Socket, Set<IncomingMessage> | null>();
  let isDraining = false;
  let isEnding = false;
  let whenAnswered: () => void = () => undefined;

  const isAnswering = () => [...sockets.values()].some((waiting) => waiting && [...waiting].some(({ complete }) => complete));

  server.on("connection", (socket) => {
    if (isEnding) return void socket.destroy();
    sockets.set(socket, new Set());
    socket.once("close", () => sockets.delete(socket));
  });
  // listening for upgrades makes them: a server nobody upgrades at answers such a request as any other
  server.once("listening", () => {
    if (server.listenerCount("upgrade") > 0) server.prependListener("upgrade", ({ socket }) => sockets.set(socket, null));
  });
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    sockets.get(socket)?.add(request);
    socket.setTimeout(0);
    response.once("close", () => {
      const waiting = sockets.get(socket);
      waiting?.delete(request);
      if (isDraining && !isAnswering()) whenAnswered();
      if (isEnding && waiting?.size === 0) socket.destroySoon();
    });
  });

  const cut = (which: (waiting: ReadonlySet<IncomingMessage> | null) => boolean) => {
    for (const [socket, waiting] of sockets) if (which(waiting)) socket.destroy();
  };
  return {
    get isDraining() {
      return isDraining;
    },
    drain() {
      isDraining = true;
    },
    async answered() {
      const { promise, resolve } = Promise.withResolvers<void>();
      whenAnswered = resolve;
      if (isAnswering()) await Promise.race([promise, delay(answeringMs, undefined, { ref: false })]);
    },
    sends(socket) {
      if (sockets.has(socket)) socket.setTimeout(silenceMs);
    },
    end() {
      isDraining = true;
      isEnding = true;
      cut((waiting) => waiting?.size === 0);
      setTimeout(() => cut(() => true), arrivingMs).unref();
    },
  };
}
