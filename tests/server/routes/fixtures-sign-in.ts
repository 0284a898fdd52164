import { randomUUID } from "node:crypto";
import type { outgoingMailRoutes } from "../../../src/contract/outgoing-mails.ts";
import type { profileRoutes } from "../../../src/contract/profile.ts";
import type { sessionRoutes } from "../../../src/contract/session.ts";
import type { twoFactorRoutes } from "../../../src/contract/two-factor.ts";
import { answerRequests } from "../../../src/server/auth/reset.ts";
import { makePerson } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { sessionOf, setPassword } from "../../support/http.ts";
import { beginTwoFactor, codeOf, enableTwoFactor, linkFor, putChallenge } from "../../support/sign-in.ts";
import type { Fixture, Site } from "./fixtures.ts";

type Routes = typeof profileRoutes &
  typeof twoFactorRoutes &
  typeof outgoingMailRoutes &
  Pick<typeof sessionRoutes, "signInTwoFactor" | "forgotPassword" | "resetPassword" | "stepUp">;

const person = ({ office }: Site) => makePerson(office.db, office.tenant);
/** As it was, whatever another route did to it; a try at it is not throttled. */
const password = async ({ office, password: known }: Site, by: Person) => {
  await office.db.owner.query("delete from throttles");
  await setPassword(office.db, by.id, known);
  return { password: known };
};
const on = async (site: Site, by: Person) => {
  await enableTwoFactor(site.office.db, site.office.deps, by.id);
  return password(site, by);
};
const fresh = () => {
  const chosen = randomUUID();
  return { password: chosen, password_confirmation: chosen };
};

export const signInFixtures = {
  signInTwoFactor: {
    foreign: "names no ids",
    make: async (site) => {
      const { id } = await person(site);
      const { db, deps } = site.office;
      const secret = await enableTwoFactor(db, deps, id);
      return { body: { challenge: await putChallenge(db, id), code: codeOf(secret) } };
    },
  },
  forgotPassword: { foreign: "names no ids", make: async ({ email }) => ({ body: { email } }) },
  resetPassword: {
    foreign: "names no ids",
    make: async (site) => ({ body: { ...(await linkFor(site.office.db, (await person(site)).id)), ...fresh() } }),
  },
  stepUp: { foreign: "names no ids", make: async (site, by) => ({ body: await password(site, by) }) },
  updateProfile: { foreign: "names no ids", make: async () => ({ body: { name: "Tan Wei Ming" } }) },
  changePassword: {
    foreign: "names no ids",
    make: async (site, by) => ({ body: { current_password: (await password(site, by)).password, ...fresh() } }),
  },
  listOwnSessions: { foreign: "names no ids", make: async () => ({}) },
  endOwnSession: {
    foreign: "not found",
    make: async ({ office }, by) => {
      await sessionOf(office.deps, by.id);
      const { rows } = await office.db.owner.query<{ id: string }>("select id from sessions where user_id = $1 order by id desc limit 1", [
        by.id,
      ]);
      return { params: { uuid: rows[0]?.id ?? "" } };
    },
  },
  // nobody else's sessions are met, so that the other tests' live on
  endOtherSessions: { foreign: "names no ids", make: async () => ({}) },
  beginTwoFactor: { foreign: "names no ids", make: async () => ({}) },
  confirmTwoFactor: {
    foreign: "names no ids",
    make: async ({ office }, by) => {
      await office.db.owner.query("delete from throttles");
      return { body: { code: codeOf(await beginTwoFactor(office.db, office.deps, by.id)) } };
    },
  },
  renewRecoveryCodes: { foreign: "names no ids", make: async (site, by) => ({ body: await on(site, by) }) },
  disableTwoFactor: { foreign: "names no ids", make: async (site, by) => ({ body: await on(site, by) }) },
  resetUserTwoFactor: {
    foreign: "not found",
    make: async (site) => {
      const { id } = await person(site);
      await enableTwoFactor(site.office.db, site.office.deps, id);
      return { params: { uuid: id } };
    },
  },
  listOutgoingMails: {
    foreign: "an empty list",
    make: async (site) => {
      const { db, deps } = site.office;
      const { id } = await person(site);
      const { rows } = await db.owner.query<{ email: string }>("select email from users where id = $1", [id]);
      const email = rows[0]?.email ?? "";
      await db.owner.query("insert into password_requests (email, language) values ($1, 'en')", [email]);
      await answerRequests(deps);
      return { query: { q: email, with: "count" } };
    },
  },
} as const satisfies Record<keyof Routes, Fixture>;
