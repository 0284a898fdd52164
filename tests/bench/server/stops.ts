import { setTimeout as delay } from "node:timers/promises";
import { hold, holds } from "../../support/held-connections.ts";
import { serverProcess } from "../../support/processes.ts";

export interface StopFigures {
  readonly what: string;
  /** ms from SIGTERM to the process's end, its embedded PostgreSQL's included. */
  readonly most: number;
  readonly times: number;
}

const times = 3;

/** How long an orderly stop takes while a client holds on to a connection. */
export async function benchStops(): Promise<StopFigures[]> {
  const figures: StopFigures[] = [];
  const server = await serverProcess();
  try {
    for (const [does, words, first] of holds) {
      let most = 0;
      for (let n = 0; n < times; n++) {
        await server.start();
        const held = await hold(server.url, words);
        while (!held.heard().includes(first)) await delay(5);
        const began = performance.now();
        await server.stop();
        most = Math.max(most, performance.now() - began);
        held.socket.destroy();
      }
      figures.push({ what: `a client ${does}`, most, times });
    }
  } finally {
    await server.end();
  }
  return figures;
}
