import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Ms after which a silent socket, or one that does not read its answer, is closed; not while a handler works on its answer. */
export const silenceMs = 20_000;
/** Ms within which the whole body of a request has come, if it is no file. */
export const bodyMs = 15_000;
/** The same of a file whose sender is known only when it has come, because what is signed is its bytes. */
export const signedFileMs = 60_000;
/** Ms a request may go on arriving during shutdown, and a socket of another protocol may close by itself. */
const arrivingMs = 1_500;
/** Ms for answers under way before the shutdown closes sockets. */
const answeringMs = 4_500;

/** The sockets of an HTTP server: kept while requests run on them, closed at shutdown. */
export interface Connections {
  /** Shutdown has begun: every answer closes its connection. */
  readonly isDraining: boolean;
  drain(): void;
  /** Resolves when no answer is under way, or after `answeringMs`. */
  answered(): Promise<void>;
  /**
   * The body of a request begins to come: it is cut after `within` ms, or, where it is null, only when nothing of it has come for
   * `silenceMs`: a file takes as long as its sender's line needs.
   */
  arrives(request: IncomingMessage, within: number | null): void;
  /** Call it when an answer is sent on the socket: from now on the client must read. */
  sends(socket: Socket): void;
  /**
   * Closes every socket: idle ones at once, the others after their answer, but at the latest after a moment. Call it together with the
   * server's own close, which waits for all of them.
   */
  end(): void;
}

export function trackConnections(server: Server): Connections {
  /** The pending requests of each socket; null: it speaks another protocol, which closes it by itself. */
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
  // registered late, because a server with an upgrade listener does not answer such requests as ordinary ones
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

  const destroyWhere = (which: (waiting: ReadonlySet<IncomingMessage> | null) => boolean) => {
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
    arrives(request, within) {
      const { socket } = request;
      // one without a socket is the tests' own
      if (request.complete || !sockets.has(socket)) return;
      const isUnderWay = () => sockets.get(socket)?.has(request) === true;
      if (within === null) {
        socket.setTimeout(silenceMs);
        request.once("end", () => isUnderWay() && socket.setTimeout(0));
        return;
      }
      const timer = setTimeout(() => {
        if (isUnderWay()) socket.end("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n", () => socket.destroy());
      }, within);
      for (const event of ["end", "close"]) request.once(event, () => clearTimeout(timer));
    },
    sends(socket) {
      if (sockets.has(socket)) socket.setTimeout(silenceMs);
    },
    end() {
      isDraining = true;
      isEnding = true;
      destroyWhere((waiting) => waiting?.size === 0);
      setTimeout(() => destroyWhere(() => true), arrivingMs).unref();
    },
  };
}
