import { outsideOf } from "../../support/outside.ts";
import { serverProcess } from "../../support/processes.ts";
import { benchActFloor, makeActFloor } from "./act-floor.ts";
import type { ActFigures } from "./acts.ts";
import { few, measureActs } from "./acts.ts";
import { claimedWithdrawals } from "./claimed-withdrawals.ts";
import type { FloorFigures } from "./floor.ts";

export interface ApprovalFigures extends ActFigures {
  /** The floor at as many connections without triggers and foreign keys. */
  readonly unguarded: FloorFigures;
}

const items = 3_000;
const floorItems = 4_000;
/** The item whose approval the floor writes again. */
const sampleOf = 17;
const connections = 32;
// those of the floor are copies of the sample
const amountOf = (n: number) => `${100 + (n < items ? n % 50 : sampleOf % 50)}.00`;

/** Approvals over HTTP with all guards and fsync on: spread over 20 wallets, then all of one. */
export async function benchApprovals(): Promise<{ spread: ApprovalFigures; hot: ApprovalFigures }> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const { db } = outside;

  async function approve(merchants: number): Promise<ApprovalFigures> {
    const wanted = { merchants, count: items + floorItems, connections, amountOf };
    const { tenant, accounts, uuids, ...work } = await claimedWithdrawals(server.url, outside, wanted);
    const sample = uuids[sampleOf] ?? "";
    const own = [sample, ...uuids.slice(0, items).filter((uuid) => uuid !== sample)];
    await work.approve(own.slice(0, 500)); // warm
    // what was planned for tables that were empty is planned again, as autovacuum would have it
    await db.owner.query("analyze");
    await work.approve(own.slice(500, 600));
    const figures = await measureActs(server, () => work.approve(own.slice(600)));
    work.close();
    // no callback falls due while the floor is measured
    await db.owner.query("update outbox set next_attempt_at = null where tenant_id = $1", [tenant]);
    await db.owner.query("vacuum analyze");
    const asked = { tenant, sample, accounts, posts: "withdrawal" };
    const forFloor = uuids.slice(items);
    const take = (count: number) => forFloor.splice(0, count);
    const atMost = await benchActFloor(db, { ...asked, connections, targets: take(1_500) });
    const atFew = await benchActFloor(db, { ...asked, connections: few, targets: take(1_250) });
    const unguarded = await benchActFloor(db, { ...asked, connections, targets: take(1_250), unguarded: true });
    const floors = [
      { connections, ...atMost },
      { connections: few, ...atFew },
    ];
    return { ...figures, floors, unguarded };
  }

  try {
    await makeActFloor(db);
    return { spread: await approve(20), hot: await approve(1) };
  } finally {
    await outside.close();
    await server.end();
  }
}
