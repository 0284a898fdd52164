import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import WebSocket from "ws";
import { routes } from "../../../src/contract/index.ts";
import { openDatabase } from "../../../src/server/db/scope.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
import type { TestDatabase } from "../../support/database.ts";
import { makeDeps, makePerson, makeTenant } from "../../support/factories.ts";
import { sessionOf } from "../../support/http.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller, percentile } from "./caller.ts";

export interface RevocationFigures {
  readonly what: string;
  /** ms from the change to the socket's close. */
  readonly p50: number;
  readonly most: number;
  readonly times: number;
}

const times = 50;

/** What ends a session, as the database sees it; each on a user of its own. */
const ends = {
  "user suspended": "update users set status = 'suspended' where id = $1",
  "membership suspended": "update memberships set status = 'suspended' where user_id = $1",
  "new password demanded": "update users set force_reset_password = true where id = $1",
  "session ended": "update sessions set ended_at = now(), ended_why = 'signed-out' where user_id = $1",
} as const;

/** How long a socket goes on listening after its session's end. */
export async function benchRevocations(): Promise<RevocationFigures[]> {
  const server = await serverProcess();
  await server.start();
  const connectionString = await server.connectionString();
  const connectAs = (role: string): pg.ClientConfig => ({ connectionString: connectionString.replace(/user=\w+/, `user=${role}`) });
  const db: TestDatabase = { database: openDatabase(connectAs, 4), owner: new pg.Pool({ ...connectAs("app"), max: 4 }), connectAs };
  const masterKey = Buffer.from(readFileSync(join(server.dataDir, "master.key"), "utf8"), "base64");
  try {
    const tenant = await makeTenant(db);
    const deps = { ...makeDeps(db), secrets: secretBox(masterKey) };

    async function one(end: string): Promise<number> {
      const { id } = await makePerson(db, tenant);
      await db.owner.query("update memberships set permissions = '{pas.transaction.deposits.view}' where user_id = $1", [id]);
      const { access_token: token } = await sessionOf(deps, id);
      const { call, close } = caller(server.url, token, tenant.id, tenant.currency, 1);
      const { data: config } = JSON.parse((await call("GET", routes.readConfig.path)).text) as { data: { realtime: { key: string } } };
      const ws = new WebSocket(`${server.url.replace("http", "ws")}/app/${config.realtime.key}?protocol=7`);
      const heard = (event: string) =>
        new Promise<string>((resolve) => {
          const look = (text: Buffer) => {
            const frame = JSON.parse(text.toString()) as { event: string; data: string };
            if (frame.event !== event) return;
            ws.off("message", look);
            resolve(frame.data);
          };
          ws.on("message", look);
        });
      const { socket_id } = JSON.parse(await heard("pusher:connection_established")) as { socket_id: string };
      const channel = `private-channel.${tenant.id}`;
      const signed = await call("POST", routes.authorizeChannel.path, { socket_id, channel_name: channel });
      const { data } = JSON.parse(signed.text) as { data: object };
      const joined = heard("pusher_internal:subscription_succeeded");
      ws.send(JSON.stringify({ event: "pusher:subscribe", data: { channel, ...data } }));
      await joined;
      const closed = new Promise((resolve) => ws.once("close", resolve));
      // the server looks at intervals: the end must come at any moment between two of them
      await delay(Math.random() * 1000);
      await db.owner.query(end, [id]);
      const began = performance.now();
      await closed;
      close();
      return performance.now() - began;
    }

    const figures: RevocationFigures[] = [];
    for (const [what, end] of Object.entries(ends)) {
      const took: number[] = [];
      for (let n = 0; n < times; n++) took.push(await one(end));
      figures.push({ what, p50: percentile(took, 0.5), most: Math.max(...took), times });
    }
    return figures;
  } finally {
    await Promise.all([db.database.close(), db.owner.end()]);
    await server.end();
  }
}
