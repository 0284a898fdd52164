import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { makePerson, setSettings } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { fingerprints } from "../../support/fingerprints.ts";
import { ask, faultsOf, refusalOf, routeNames, routeOf, serve, sessionOf } from "../../support/http.ts";
import type { Asked, Served } from "../../support/http.ts";
import { fixtures, makeSite } from "./fixtures.ts";
import type { Site } from "./fixtures.ts";
import type { RouteName } from "../../../src/contract/index.ts";
import { isSigned } from "../../../src/contract/route.ts";

// Over the route table: users who must set something up first, and routes that require step-up.
const db = testDatabase({ invariants: 100 });
let served: Served;
let here: Site;
let person: Person;

beforeAll(async () => {
  served = await serve(db);
  here = await makeSite(db, "Tan Wei Ming");
  person = await makePerson(db, here.office.tenant);
  await db.owner.query(
    "insert into membership_groups (tenant_id, user_id, group_id) select tenant_id, $2, id from user_groups where tenant_id = $1 and code = 'owner'",
    [here.office.tenant.id, person.id],
  );
});
afterAll(() => served.app.close());

const tenanted = routeNames.filter(
  (name) => !isSigned(routeOf(name)) && routeOf(name).permission !== "public" && routeOf(name).tenant !== "none",
);
const open = tenanted.filter((name) => routeOf(name).unready);
const shut = tenanted.filter((name) => !routeOf(name).unready);
const stepped = routeNames.filter((name) => routeOf(name).stepUp);

async function asked(name: RouteName, by: Person): Promise<Asked> {
  const ready = await fixtures[name].make(here, by);
  const { tenant } = here.office;
  return { ...ready, tenant: tenant.id, currency: tenant.currency, token: (await sessionOf(served.deps, by.id)).access_token };
}

async function refused(name: RouteName, by: Asked): Promise<string> {
  const before = await fingerprints(db);
  const code = refusalOf(await ask(served, name, by));
  expect(await fingerprints(db), "a refused call changed rows").toEqual(before);
  return code;
}

/** Makes the person one who must, or need not, set something up. */
async function unready(force: boolean, require: boolean): Promise<void> {
  await db.owner.query("update users set force_reset_password = $2 where id = $1", [person.id, force]);
  await db.owner.query("delete from two_factor where user_id = $1 and secret is not null", [person.id]);
  await setSettings(db, here.office.tenant, { require_two_factor: require });
}

test("only these routes are open to users who must set something up first, and only these require step-up", () => {
  expect(open).toEqual(["stepUp", "readContext", "readProfile", "readConfig", "changePassword", "beginTwoFactor", "confirmTwoFactor"]);
  expect(stepped).toEqual([
    "beginTwoFactor",
    "resetUserTwoFactor",
    "adjustWallet",
    "viewMerchantSecret",
    "revokeOldMerchantSecret",
    "resetMerchantCredentials",
    "createPaymentAccount",
    "updatePaymentAccount",
    "changePaymentAccountStatus",
    "deletePaymentAccount",
    "clearPaymentAccount",
    "resetNoticeKey",
    "revokeNoticeKey",
    "createRateLimitGroup",
    "updateRateLimitGroup",
    "changeRateLimitGroupStatus",
    "deleteRateLimitGroup",
    "assignRateLimitAccounts",
    "viewMerchantProviderCredential",
    "inviteUser",
    "createUser",
    "forcePasswordReset",
    "dissolveUserGroup",
    "tryCreditCheck",
    "viewMasterCredentials",
  ]);
  expect(shut.length).toBeGreaterThan(30);
});

test.each(shut)("%s is shut until the password is changed, and two-factor set up where the tenant requires it", async (name) => {
  const ready = await asked(name, person);
  const codes = [];
  for (const [force, require] of [
    [true, false],
    [true, true],
    [false, true],
  ] as const) {
    await unready(force, require);
    codes.push(await refused(name, ready));
  }
  await unready(false, false);
  expect(codes).toEqual(["password.must-change", "password.must-change", "two-factor.must-set-up"]);
});

test.each(open)("%s is open to whoever must set something up first", async (name) => {
  const ready = await asked(name, person);
  await unready(true, true);
  const answer = await ask(served, name, ready);
  await unready(false, false);
  expect([answer.status, faultsOf(answer)], answer.text).toEqual([200, []]);
});

describe("ten minutes after the last proof of identity", () => {
  const proved = (minutes: number) =>
    db.owner.query("update sessions set proved_at = now() - make_interval(secs => $2) where user_id = $1", [here.owner.id, minutes * 60]);

  test.each(stepped)("%s asks for another", async (name) => {
    const ready = await asked(name, here.owner);
    await proved(10.05);
    expect(await refused(name, ready)).toBe("step-up.required");
    // half a minute of patience for what follows
    await proved(9.5);
    expect((await ask(served, name, ready)).status).toBe(200);
  });

  test.each(tenanted.filter((name) => !routeOf(name).stepUp))("%s does not", async (name) => {
    const ready = await asked(name, here.owner);
    await proved(600);
    expect((await ask(served, name, ready)).status).toBe(200);
  });
});
