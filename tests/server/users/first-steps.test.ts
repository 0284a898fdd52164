import { afterAll, beforeAll, expect, test } from "vitest";
import type { FirstSteps } from "../../../src/contract/first-steps.ts";
import { createTenant } from "../../../src/server/tenants/create-tenant.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makePerson, makeTenant } from "../../support/factories.ts";
import type { Tenant } from "../../support/factories.ts";
import { serve } from "../../support/http.ts";
import type { Answered, Served } from "../../support/http.ts";
import { asMember, makeAccountOf, makeOwner, ownerOf } from "../../support/people.ts";

const db = testDatabase();
let served: Served;

beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());

/** As whoever runs the installation makes it. */
async function founded(code: string): Promise<Tenant> {
  const { email } = await makeAccountOf(db);
  const client = await db.owner.connect();
  await createTenant(client, ["--code", code, "--name", "Mekong Harbour", "--currency", "MYR", "--owner", email], () => undefined).finally(
    () => client.release(),
  );
  const { rows } = await db.owner.query<{ id: string }>("select id from tenants where code = $1", [code]);
  return { id: rows[0]?.id ?? "", currency: "MYR" };
}

/** What is told of the steps, in a word each. */
function told({ status, text, data }: Answered) {
  expect(status, text).toBe(200);
  const { open, steps } = data as FirstSteps; // the contract's answer
  return [open, ...steps.map(({ state }) => state)];
}

test("a new tenant is led through five steps, of which each is done once there is one of its kind", async () => {
  const tenant = await founded("FS1");
  const owner = await asMember(served, tenant, await ownerOf(db, tenant));
  expect(told(await owner("readFirstSteps"))).toEqual([true, "done", "open", "open", "open", "open"]);
  const account = await makeAccount(db, tenant);
  expect(told(await owner("readFirstSteps"))).toEqual([true, "done", "done", "open", "open", "open"]);
  const merchant = await makeMerchant(db, tenant);
  await makeGroup(db, tenant, [account], [merchant]);
  await makePerson(db, tenant);
  expect(told(await owner("readFirstSteps"))).toEqual([true, "done", "done", "done", "done", "done"]);
});

test("a step is left out and taken back for the whole tenant, of two people at once neither undoes the other, and the log tells who did", async () => {
  const tenant = await founded("FS2");
  const [first, second] = [await ownerOf(db, tenant), await makePerson(db, tenant, "Second")];
  await makeOwner(db, tenant, second);
  const [one, other] = [await asMember(served, tenant, first), await asMember(served, tenant, second)];
  const answers = await Promise.all([
    one("updateFirstSteps", { body: { skipped: { merchant: true } } }),
    other("updateFirstSteps", { body: { skipped: { group: true } } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(told(await one("readFirstSteps"))).toEqual([true, "done", "open", "skipped", "skipped", "done"]);
  expect(told(await one("updateFirstSteps", { body: { skipped: { merchant: false } } }))).toEqual([
    true,
    "done",
    "open",
    "open",
    "skipped",
    "done",
  ]);
  expect(told(await other("updateFirstSteps", { body: { open: false } }))[0]).toBe(false);
  const { rows } = await db.owner.query(
    "select actor_name as by, before, after from audit_entries where tenant_id = $1 and act = 'first-steps.update' order by id desc limit 2",
    [tenant.id],
  );
  expect(rows).toEqual([
    { by: "Second", before: { open: true }, after: { open: false } },
    { by: first.name, before: { skipped: ["merchant", "group"] }, after: { skipped: ["group"] } },
  ]);
});

test("a tenant that began without them is not led, until somebody asks for them", async () => {
  const tenant = await makeTenant(db);
  const owner = await asMember(served, tenant, await ownerOf(db, tenant));
  expect(told(await owner("readFirstSteps"))[0]).toBe(false);
  expect(told(await owner("updateFirstSteps", { body: { open: true } }))[0]).toBe(true);
});
