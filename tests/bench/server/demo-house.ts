import pg from "pg";
import { hashPassword } from "../../../src/server/auth/passwords.ts";
import { seedDemo } from "../../../src/server/demo/seed.ts";
import type { Outside } from "../../support/outside.ts";
import { outsideOf } from "../../support/outside.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";

export interface DemoHouse {
  readonly server: ServerProcess;
  readonly outside: Outside;
  /** Connected as the owner, a superuser. */
  readonly owner: pg.Client;
  close(): Promise<void>;
}

/** A server with the demo's data of so many transactions, in which nobody but the bench does anything. */
export async function demoHouse(transactions: number): Promise<DemoHouse> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const owner = new pg.Client({ connectionString: await server.connectionString() });
  const close = async () => {
    await owner.end();
    await outside.close();
    await server.end();
  };
  try {
    await owner.connect();
    const { secrets } = outside.served.deps;
    await seedDemo(owner, { secrets, now: new Date(), seed: 20_261_121, hashPassword, transactions });
  } catch (error) {
    await close();
    throw error;
  }
  return { server, outside, owner, close };
}
