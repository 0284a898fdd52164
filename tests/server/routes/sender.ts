import type { RouteName } from "../../../src/contract/index.ts";
import type { TestDatabase } from "../../support/database.ts";
import { ask, faultsOf, routeOf, sessionOf } from "../../support/http.ts";
import type { Answered, Asked, Served } from "../../support/http.ts";
import type { Site } from "./fixtures.ts";

export type Send = (name: RouteName, asked: Asked) => Promise<Answered>;

/** Sends as the owner, or signed by the merchant: everything is right but what a test spoils. No answer may have a fault. */
export async function senderOf(db: TestDatabase, served: Served, site: Site, canary: string): Promise<Send> {
  const session = async () => (await sessionOf(served.deps, site.owner.id)).access_token;
  const token = await session();
  const scope = { tenant: site.office.tenant.id, currency: "MYR" };
  return async (name, asked) => {
    const { permission } = routeOf(name);
    if (permission === "public") await db.owner.query("delete from throttles");
    const by: Asked =
      permission === "merchant" || permission === "forwarder"
        ? { signedBy: site[permission] }
        : permission === "public"
          ? {}
          : { token: name === "logout" ? await session() : token, ...scope }; // signing out may succeed
    const answer = await ask(served, name, { ...by, ...asked });
    const sent = asked.rawQuery ?? JSON.stringify(asked.query ?? asked.payload ?? asked.body ?? asked.params);
    const faults = faultsOf(answer, canary);
    if (faults.length > 0) throw new Error(`${faults.join(", ")}: ${name} ${sent} → ${answer.status} ${answer.text}`);
    return answer;
  };
}
