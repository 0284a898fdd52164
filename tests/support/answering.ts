import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Answering {
  readonly url: string;
  readonly port: number;
  /** Each request with its body, in order of arrival. */
  readonly asked: { readonly request: IncomingMessage; readonly body: string }[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  stop(): Promise<void>;
}

/** A server on loopback whose answer each test decides. */
export async function startAnswering(answer: Answering["answer"] = (_, response) => response.end("{}")): Promise<Answering> {
  const asked: Answering["asked"][number][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push({ request, body: Buffer.concat(chunks).toString("utf8") });
      answering.answer(request, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const answering: Answering = {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    answer,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return answering;
}
