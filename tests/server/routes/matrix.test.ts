import { beforeAll, beforeEach, afterAll, describe, expect, test } from "vitest";
import { permissions } from "../../../src/contract/permissions.ts";
import type { Permission } from "../../../src/contract/permissions.ts";
import type { RouteName } from "../../../src/contract/index.ts";
import { isSigned } from "../../../src/contract/route.ts";
import { testDatabase } from "../../support/database.ts";
import { makePerson } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { fingerprints } from "../../support/fingerprints.ts";
import { ask, refusalOf, faultsOf, routeNames, routeOf, serve, sessionOf } from "../../support/http.ts";
import type { Answered, Served } from "../../support/http.ts";
import { fixtures, foreignVerdicts, makeSite } from "./fixtures.ts";
import type { Fixture, Site } from "./fixtures.ts";

// Every rule here runs over the route table, so that new routes are tested as soon as they are declared.
const db = testDatabase({ invariants: 100 });
const canary = "ZQCANARY";
let served: Served;
let here: Site;
let there: Site;
let nobody: Person & { token: string };
/** A member of both tenants with all permissions here and none there. */
let both: Person & { token: string };
const holders = new Map<Permission, Person & { token: string }>();
/** By the permissions they lack: holders of all others. */
const lacking = new Map<string, Person & { token: string }>();

async function person(name: string, held: readonly string[] = []): Promise<Person & { token: string }> {
  const made = await makePerson(db, here.office.tenant, name);
  await grant(here, made, held);
  return { ...made, token: (await sessionOf(served.deps, made.id)).access_token };
}

async function holderOfAllBut(lacked: readonly Permission[]): Promise<Person & { token: string }> {
  const name = `All but ${lacked.toSorted().join(", ")}`;
  const known = lacking.get(name);
  if (known) return known;
  const made = await person(
    name,
    permissions.filter((permission) => !lacked.includes(permission)),
  );
  lacking.set(name, made);
  return made;
}

const grant = (site: Site, { id }: Person, held: readonly string[]) =>
  db.owner.query("update memberships set permissions = $3 where tenant_id = $1 and user_id = $2", [site.office.tenant.id, id, held]);

beforeAll(async () => {
  served = await serve(db);
  here = await makeSite(db, "Tan Wei Ming");
  there = await makeSite(db, canary);
  nobody = await person("Nobody");
  both = await person("Both", permissions);
  await db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [there.office.tenant.id, both.id]);
  for (const permission of permissions) holders.set(permission, await person(permission, [permission]));
  signedIn = performance.now();
});
/** When everybody last signed in. An access token lives 15 minutes, a proof of who one is ten; all these tests may take longer. */
let signedIn = 0;
beforeEach(async () => {
  if (performance.now() - signedIn < 5 * 60_000) return;
  for (const one of [nobody, both, ...holders.values(), ...lacking.values()])
    one.token = (await sessionOf(served.deps, one.id)).access_token;
  signedIn = performance.now();
});
afterAll(() => served.app.close());

const fixtureOf = (name: RouteName): Fixture => {
  const found: Fixture | undefined = fixtures[name];
  if (!found) throw new Error(`route ${name} has no fixture in tests/server/routes/fixtures.ts`);
  return found;
};
const prepared = new Map<string, ReturnType<Fixture["make"]>>();
/** A request for calls that do nothing, and so can share it. */
const refusable = (name: RouteName, site: Site) => {
  const key = `${name} ${site.office.tenant.id}`;
  const ready = prepared.get(key) ?? fixtureOf(name).make(site, site.owner);
  prepared.set(key, ready);
  return ready;
};
const scope = (site: Site) => ({ tenant: site.office.tenant.id, currency: site.office.tenant.currency });
const needed = (name: RouteName): readonly Permission[] => {
  const { permission } = routeOf(name);
  return typeof permission === "string" ? [permission as Permission] : permission; // of guarded routes only
};

/** Runs what must be refused; no row of any table, and no announcement, may come of it. */
async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = await fingerprints(db);
  const published = served.published.length;
  await work();
  expect(await fingerprints(db), "a refused call changed rows").toEqual(before);
  expect(served.published.length, "a refused call was announced").toBe(published);
}

/** Calls of a route with a limit of its own are counted in a row, a moment after their answer: until it is there, or its minute is over. */
async function counted(name: RouteName, work: () => Promise<void>): Promise<void> {
  const minute = () => Math.floor(Date.now() / 60_000);
  const counts = async () => (await fingerprints(db))["throttles"];
  const [began, before] = [minute(), await counts()];
  await work();
  if (routeOf(name).perMinute === undefined) return;
  await expect.poll(async () => minute() !== began || (await counts()) !== before).toBe(true);
}

/** What an answer lacks to be a request done whole, each row of it. */
function undone(answer: Answered): unknown[] {
  const { outcomes = [] } = (answer.data ?? {}) as { outcomes?: { done: boolean }[] }; // acts on rows have them
  const whole = answer.status === 200 && outcomes.every(({ done }) => done);
  return [...faultsOf(answer, canary), ...(whole ? [] : [answer.text])];
}

const staff = routeNames.filter((name) => !isSigned(routeOf(name)) && routeOf(name).permission !== "public");
const guarded = staff.filter((name) => routeOf(name).permission !== "signed-in");
const signed = routeNames.filter((name) => isSigned(routeOf(name)));
const naming = signed.filter((name) => fixtures[name]?.foreign !== "names no ids");
const open = routeNames.filter((name) => routeOf(name).permission === "public");

test("every route has a fixture, and every fixture a route", () => {
  expect(Object.keys(fixtures).toSorted()).toEqual(routeNames.toSorted());
  expect([staff.length > 20, guarded.length > 20, signed.length > 5]).toEqual([true, true, true]);
});

test("nothing but signing in, a forgotten password, renewing and an invitation is open to everybody", () => {
  expect(open).toEqual([
    "login",
    "signInTwoFactor",
    "forgotPassword",
    "resetPassword",
    "refreshToken",
    "readInvitation",
    "acceptWithPassword",
  ]);
});

test("the rights asked for are names of the permission list", () => {
  for (const name of guarded) for (const permission of needed(name)) expect(permissions, name).toContain(permission);
});

describe.each(staff)("%s", (name) => {
  test("answers 401 without sign-in, and changes nothing", async () => {
    const ready = await refusable(name, here);
    await unchanged(async () => expect(refusalOf(await ask(served, name, { ...ready, ...scope(here) }))).toBe("session.missing"));
    await unchanged(async () => {
      expect(refusalOf(await ask(served, name, { ...ready, ...scope(here), signedBy: here.merchant }))).toBe("session.missing");
    });
  });

  test("does what an owner asks", async () => {
    const { access_token: token } = await sessionOf(served.deps, here.owner.id);
    expect(undone(await ask(served, name, { ...(await fixtureOf(name).make(here, here.owner)), ...scope(here), token }))).toEqual([]);
  });

  test("answers another tenant's ids as if there were none, and leaves that tenant as it was", async () => {
    const fixture = fixtureOf(name);
    const ready = await refusable(name, there);
    const { access_token: token } = await sessionOf(served.deps, here.owner.id);
    const before = await fingerprints(db, { tenant: there.office.tenant.id });
    const answer = await ask(served, name, { ...ready, ...scope(here), token });
    expect(faultsOf(answer, canary), answer.text).toEqual([]);
    expect(foreignVerdicts[fixture.foreign](answer), answer.text).toBe(true);
    expect(await fingerprints(db, { tenant: there.office.tenant.id })).toEqual(before);
  });
});

describe.each(staff.filter((name) => routeOf(name).tenant !== "none"))("%s", (name) => {
  test("refuses a tenant its caller is no member of, and changes nothing", async () => {
    const ready = await refusable(name, there);
    const { access_token: token } = await sessionOf(served.deps, here.owner.id);
    await unchanged(async () => {
      for (const tenant of [there.office.tenant.id, "00000000-0000-0000-0000-000000000000", "x", ""]) {
        const answer = await ask(served, name, { ...ready, ...scope(there), tenant, token });
        expect(refusalOf(answer)).toBe("tenant.invalid");
        expect(answer.text).not.toContain(canary);
      }
    });
  });
});

test("a route that needs a tenant does not choose one", async () => {
  await unchanged(async () => {
    for (const name of staff.filter((one) => routeOf(one).tenant === undefined)) {
      const answer = await ask(served, name, { params: { uuid: both.id }, currency: "MYR", token: both.token });
      expect([name, refusalOf(answer)]).toEqual([name, "tenant.invalid"]);
    }
  });
});

describe.each(guarded)("%s", (name) => {
  test("answers 403 to nobody's rights and to all rights but its own, and changes nothing", async () => {
    const ready = { ...(await refusable(name, here)), ...scope(here) };
    const other = await holderOfAllBut(needed(name));
    await unchanged(async () => {
      for (const { token } of [nobody, other]) {
        const answer = await ask(served, name, { ...ready, token });
        expect([answer.status, refusalOf(answer)]).toEqual([403, "permission.missing"]);
      }
    });
  });

  test("refuses before it reads: a body that is none answers 403, too", async () => {
    await unchanged(async () => {
      const answer = await ask(served, name, {
        params: { uuid: "none" },
        payload: "{",
        rawQuery: "x=1",
        ...scope(here),
        token: nobody.token,
      });
      expect(refusalOf(answer)).toBe("permission.missing");
    });
  });

  test("opens to each of its own permissions alone", async () => {
    for (const permission of needed(name)) {
      if (routeOf(name).owner) continue; // the right is not enough: below
      const holder = holders.get(permission);
      if (!holder) throw new Error(`no holder of ${permission}`);
      const ready = await fixtureOf(name).make(here, holder);
      expect(undone(await ask(served, name, { ...ready, ...scope(here), token: holder.token }))).toEqual([]);
    }
  });

  test("permissions in one tenant do not count in another", async () => {
    const ready = await refusable(name, there);
    await unchanged(async () => {
      const answer = await ask(served, name, { ...ready, ...scope(there), token: both.token });
      expect(refusalOf(answer)).toBe("permission.missing");
      expect(answer.text).not.toContain(canary);
    });
  });
});

describe.each(guarded.filter((name) => routeOf(name).currency))("%s", (name) => {
  test("needs a currency of the tenant, and sees no other currency's rows", async () => {
    const fixture = fixtureOf(name);
    const ready = await fixture.make(here, both);
    const asked = { ...ready, ...scope(here), token: both.token };
    await unchanged(async () => {
      for (const currency of [undefined, "", "USD", "myr", "__proto__", "MYR,THB"]) {
        expect(refusalOf(await ask(served, name, { ...asked, currency }))).toBe("currency.invalid");
      }
    });
    if (fixture.foreign === "refused" || fixture.foreign === "nothing held") return; // of the tenant, and of one's own claims
    const answer = await ask(served, name, { ...asked, currency: "THB" });
    expect(foreignVerdicts[fixture.foreign](answer), answer.text).toBe(true);
  });
});

test("routes for owners only are open to nobody else, whatever their permissions", async () => {
  const owners = guarded.filter((name) => routeOf(name).owner);
  expect(owners).toEqual(["listOutgoingMails"]);
  const all = await person("All but owner", permissions);
  for (const name of owners) {
    const ready = { ...(await fixtureOf(name).make(here, here.owner)), ...scope(here) };
    await unchanged(async () => expect(refusalOf(await ask(served, name, { ...ready, token: all.token }))).toBe("permission.missing"));
  }
});

describe.each(signed)("%s", (name) => {
  const isForwarded = routeOf(name).permission === "forwarder";
  const signerOf = (site: Site) => (isForwarded ? site.forwarder : site.merchant);
  test("is refused without a signature, with a wrong one, and to staff", async () => {
    const ready = await fixtureOf(name).make(here, here.owner);
    const { access_token: token } = await sessionOf(served.deps, here.owner.id);
    const [own, rival] = [signerOf(here), isForwarded ? here.rivalForwarder : here.rival];
    await unchanged(async () => {
      expect(refusalOf(await ask(served, name, ready))).toBe("signature.missing");
      expect(refusalOf(await ask(served, name, { ...ready, ...scope(here), token }))).toBe("signature.missing");
      const forged = [
        { ...own, secret: rival.secret },
        { ...own, secret: own.secret.replace("whsec_", "whsec_AAAA") },
        { ...own, apiKey: rival.apiKey },
        { ...own, apiKey: signerOf(there).apiKey },
        { ...own, apiKey: `${own.apiKey}x` },
        { ...own, apiKey: "no such key" },
        // a key of the other kind
        isForwarded ? here.merchant : here.forwarder,
      ];
      for (const signedBy of forged) expect(refusalOf(await ask(served, name, { ...ready, signedBy }))).toBe("signature.invalid");
      for (const header of ["x-api-key", "x-timestamp", "x-signature"]) {
        expect(refusalOf(await ask(served, name, { ...ready, signedBy: own, headers: { [header]: null } }))).toBe("signature.missing");
      }
    });
  });

  test("does what its holder of a key signed", async () => {
    const ready = await fixtureOf(name).make(here, here.owner);
    await counted(name, async () => expect(undone(await ask(served, name, { ...ready, signedBy: signerOf(here) }))).toEqual([]));
  });
});

describe.each(naming)("%s", (name) => {
  test("answers another merchant's ids as if there were none, of the same tenant or of another", async () => {
    const fixture = fixtureOf(name);
    for (const signedBy of [there.rival, here.merchant]) {
      // its request is remembered, so that it cannot be sent again
      const only = { tenant: there.office.tenant.id, except: signedBy === there.rival ? ["seen_signatures", "idempotency_keys"] : [] };
      const ready = await fixture.make(there, there.owner);
      const before = await fingerprints(db, only);
      const answer = await ask(served, name, { ...ready, signedBy });
      expect(faultsOf(answer, canary), answer.text).toEqual([]);
      expect(foreignVerdicts[fixture.foreign](answer), answer.text).toBe(true);
      expect(await fingerprints(db, only)).toEqual(before);
    }
  });
});
