import { routes } from "../../../src/contract/index.ts";
import { makePerson } from "../../support/factories.ts";
import { sessionOf } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import { serverProcess } from "../../support/processes.ts";
import { benchActFloor, makeActFloor } from "./act-floor.ts";
import type { ActFigures } from "./acts.ts";
import { few, measureActs } from "./acts.ts";
import { caller } from "./caller.ts";
import type { Called } from "./caller.ts";

export interface ClaimFigures extends ActFigures {
  readonly what: string;
}

/** Each claims on a connection of their own, because the claims of one person wait for one another. */
const operators = 32;
/** Together a little less than a person's highest limit, 100. */
const [warm, measured] = [25, 70];
const floorItems = 1_500;

/** Claims over HTTP by 32 operators at once with all guards and fsync on: of the next free withdrawal, and of one that is named. */
export async function benchClaims(): Promise<ClaimFigures[]> {
  const server = await serverProcess();
  await server.start();
  const outside = await outsideOf(server);
  const { db, served } = outside;

  async function measure(what: "take next" | "claim"): Promise<ClaimFigures> {
    const office = await makeOffice(db, { settings: { claim_limit: 100 } });
    const { id: tenant, currency } = office.tenant;
    const merchant = await makeSigningMerchant(db, served.deps, office.tenant, { wallet: "10000000" });
    const callers = await Promise.all(
      Array.from({ length: operators }, async (_, n) => {
        const person = await makePerson(db, office.tenant, `Operator ${n}`);
        await db.owner.query("update memberships set permissions = $2 where user_id = $1", [
          person.id,
          [routes.claimWithdrawals.permission],
        ]);
        const { access_token: token } = await sessionOf(served.deps, person.id);
        return caller(server.url, token, tenant, currency, 1);
      }),
    );
    const waiting: string[] = [];
    let made = 0;
    const make = async () => {
      while (made < operators * (warm + measured) + 2 * floorItems) {
        const n = made++;
        waiting.push((await office.withdraw(merchant, { amount: "100.00", member: `M${n % 500}` })).id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, make));
    await db.owner.query("vacuum analyze");

    const left = [...waiting];
    const times: number[] = [];
    const claimOne = async ({ call }: (typeof callers)[number]) => {
      const answer: Called =
        what === "take next"
          ? await call("POST", routes.takeNextWithdrawal.path, { skip: [] })
          : await call("POST", routes.claimWithdrawals.path, { rows: [{ uuid: left.pop(), version: 1 }] });
      const isDone = answer.status === 200 && (what === "take next" || answer.text.includes('"done":true'));
      if (!isDone) throw new Error(`${what}: ${answer.status} ${answer.text}`);
      times.push(answer.ms);
    };
    const claimAll = (each: number) =>
      Promise.all(
        callers.map(async (one) => {
          for (let n = 0; n < each; n++) await claimOne(one);
        }),
      );
    await claimAll(warm);
    await db.owner.query("analyze");
    times.length = 0;
    const figures = await measureActs(server, async () => {
      await claimAll(measured);
      return times;
    });
    for (const { close } of callers) close();

    await db.owner.query("vacuum analyze");
    const { rows } = await db.owner.query<{ id: string; status: string }>(
      "select id, status from transactions where tenant_id = $1 order by claimed_at nulls last",
      [tenant],
    );
    const sample = rows.find(({ status }) => status === "process")?.id ?? "";
    const free = rows.flatMap(({ id, status }) => (status === "pending" ? [id] : []));
    const floors: ClaimFigures["floors"][number][] = [];
    for (const connections of [operators, few]) {
      const targets = free.splice(0, floorItems);
      floors.push({ connections, ...(await benchActFloor(db, { tenant, sample, targets, connections })) });
    }
    return { what, ...figures, floors };
  }

  try {
    await makeActFloor(db);
    return [await measure("take next"), await measure("claim")];
  } finally {
    await outside.close();
    await server.end();
  }
}
