import pg from "pg";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { playNoise } from "../../support/bank-matching.ts";
import { makeDeps, makeTenant } from "../../support/factories.ts";
import { serverProcess } from "../../support/processes.ts";

/** 5,000 noisy bank lines against 5,000 deposits: how many are matched automatically, how many wrongly, and what is suggested of the rest. */
export async function benchMatching() {
  const server = await serverProcess({ DEMO: "false" });
  await server.start();
  const connectionString = await server.connectionString();
  const owner = new pg.Pool({ connectionString, max: 4 });
  const connectAs = () => ({ connectionString });
  const database = openDatabase(connectAs);
  try {
    const db = { owner, database, connectAs };
    const tenant = await makeTenant(db, { settings: { auto_match: true } });
    return await playNoise({ db, tenant, deps: makeDeps(db) }, 11, 5_000);
  } finally {
    await database.close();
    await owner.end();
    await server.end();
  }
}
