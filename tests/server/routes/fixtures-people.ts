import { randomUUID } from "node:crypto";
import type { invitationRoutes } from "../../../src/contract/invitations.ts";
import type { userGroupRoutes } from "../../../src/contract/user-groups.ts";
import type { userRoutes } from "../../../src/contract/users.ts";
import { makePerson, makeTenant } from "../../support/factories.ts";
import { sessionOf } from "../../support/http.ts";
import { makeAccountOf, makeInvitation, makeUserGroup } from "../../support/people.ts";
import type { Fixture, Site } from "./fixtures.ts";

const person = ({ office, mark }: Site) => makePerson(office.db, office.tenant, mark);
const group = ({ office, mark }: Site) => makeUserGroup(office.db, office.tenant, [], { name: mark });
const named = async (site: Site) => ({ params: { uuid: (await person(site)).id } });
const versioned = async (site: Site) => ({ ...(await named(site)), body: { version: 1 } });
const email = () => `${randomUUID()}@example.com`;

/** Somebody who was invited to the site's tenant and has no password yet. */
async function guest(site: Site) {
  const { db, tenant } = site.office;
  const account = await makeAccountOf(db, site.mark);
  return { ...account, token: await makeInvitation(db, tenant, account, { by: site.owner.id, isNew: true }) };
}
const invited = async (site: Site) => ({ params: { uuid: (await guest(site)).id }, body: { version: 1 } });

const chosen = () => {
  const password = randomUUID();
  return { password, password_confirmation: password };
};

async function session(site: Site) {
  const { id } = await person(site);
  await sessionOf(site.office.deps, id);
  const { rows } = await site.office.db.owner.query<{ id: string }>("select id from sessions where user_id = $1", [id]);
  return { uuid: id, session: rows[0]?.id ?? "" };
}

type Routes = typeof userRoutes & typeof userGroupRoutes & typeof invitationRoutes;

export const peopleFixtures: Readonly<Record<keyof Routes, Fixture>> = {
  listUsers: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[uuid]": (await person(site)).id, with: "count" } }),
  },
  readUser: { foreign: "not found", make: named },
  updateUser: {
    foreign: "not found",
    make: async (site) => ({ ...(await named(site)), body: { name: "Tan Wei Ling", groups: [], permissions: [], version: 1 } }),
  },
  changeUserStatus: {
    foreign: "not found",
    make: async (site) => ({ ...(await named(site)), body: { version: 1, status: "suspended", reason: "left" } }),
  },
  deleteUser: { foreign: "not found", make: async (site) => ({ ...(await named(site)), query: { version: "1" } }) },
  listGroupRights: { foreign: "names no ids", make: async () => ({}) },
  lookUpUser: { foreign: "names no ids", make: async () => ({ body: { email: email() } }) },
  inviteUser: {
    foreign: "names no ids",
    make: async ({ office }) => ({ body: { email: (await makeAccountOf(office.db)).email, groups: [] } }),
  },
  createUser: {
    foreign: "names no ids",
    make: async () => ({ body: { email: email(), name: "Lim Mei Ling", groups: [], delivery: "link" } }),
  },
  resendInvitation: { foreign: "not found", make: invited },
  withdrawInvitation: { foreign: "not found", make: invited },
  forcePasswordReset: { foreign: "not found", make: versioned },
  listUserSessions: { foreign: "not found", make: async (site) => ({ params: { uuid: (await session(site)).uuid } }) },
  endUserSession: { foreign: "not found", make: async (site) => ({ params: await session(site) }) },
  endUserSessions: { foreign: "not found", make: async (site) => ({ params: { uuid: (await session(site)).uuid } }) },
  listUserGroups: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[uuid]": await group(site), with: "count" } }),
  },
  readUserGroup: { foreign: "not found", make: async (site) => ({ params: { uuid: await group(site) } }) },
  createUserGroup: { foreign: "names no ids", make: async () => ({ body: { code: randomUUID(), name: "Night shift", permissions: [] } }) },
  updateUserGroup: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await group(site) }, body: { name: "Night shift", permissions: [], version: 1 } }),
  },
  deleteUserGroup: { foreign: "not found", make: async (site) => ({ params: { uuid: await group(site) }, query: { version: "1" } }) },
  dissolveUserGroup: {
    foreign: "not found",
    make: async (site) => ({ params: { uuid: await group(site) }, body: { version: 1, into: await group(site) } }),
  },
  readInvitation: { foreign: "names no ids", make: async (site) => ({ body: { token: (await guest(site)).token } }) },
  // to a tenant that is neither caller's
  acceptInvitation: {
    foreign: "names no ids",
    make: async ({ office }, by) => ({ body: { token: await makeInvitation(office.db, await makeTenant(office.db), by) } }),
  },
  acceptWithPassword: { foreign: "names no ids", make: async (site) => ({ body: { token: (await guest(site)).token, ...chosen() } }) },
};
