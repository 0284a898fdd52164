import { randomInt, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { User, userRoutes } from "../../contract/users.ts";
import { actorOf, record } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import { hashPassword } from "../auth/passwords.ts";
import { withinThrottle } from "../auth/throttle.ts";
import type { StaffCall } from "../call.ts";
import { violated } from "../db/errors.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { putMail } from "../mail/mails.ts";
import { auditLabel, linkedRecords } from "../records/links.ts";
import { mailText } from "../texts.ts";
import { endInvitation, invite } from "./invitations.ts";
import { groupFaults, lockPeople, requireAll, requireOwnerFor } from "./rights.ts";
import type { Holdings } from "./rights.ts";
import { findUser, holdingsIn, seenUser, userView } from "./user-rows.ts";
import type { UserRow } from "./user-rows.ts";

type R = Pick<typeof userRoutes, "lookUpUser" | "inviteUser" | "createUser" | "resendInvitation" | "withdrawInvitation">;

const area = "cas.user.users";
/** Look-ups of one caller, and of a tenant's callers together, within a quarter of an hour; mails to one person within an hour. */
const [lookUpsPerCaller, lookUpsPerTenant, quarterHour] = [60, 300, 15 * 60];
const [mailsPerPerson, hour] = [5, 60 * 60];

/** 16 letters and digits that are not mistaken for each other, in groups of four: 79 bits. */
function temporaryPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const one = () => letters[randomInt(letters.length)] ?? "";
  return Array.from({ length: 4 }, () => Array.from({ length: 4 }, one).join("")).join("-");
}

const passwordPlace = (tenant: string, user: string) => `${tenant}|users|${user}|temporary-password`;

const refOf = ({ tenant }: StaffCall, id: string) => ({ tenant, entity: "user" as const, id });

async function known(db: Scoped, call: StaffCall, id: string): Promise<UserRow> {
  const row = await findUser(db, call, id);
  if (!row) throw new Error(`user ${id} is gone within its own transaction`);
  return row;
}

const accountOf = async (db: Scoped, email: string): Promise<{ id: string; email: string; name: string } | undefined> => {
  const { rows } = await sql<{ id: string; email: string; name: string }>`select id, email, name from users
    where lower(email) = lower(${email})`.execute(db);
  return rows[0];
};

/** The caller's rights under the lock; refuses groups by which they would give more than they hold. */
async function giver(db: Scoped, call: StaffCall, act: "invite" | "create", groups: readonly string[]): Promise<Holdings> {
  const own = await lockPeople(db, call, `${area}.${act}`);
  const faults = await groupFaults(db, call.tenant, own, groups);
  if (faults.length > 0) throw new Refusal("request.invalid", { groups: faults });
  return own;
}

interface Joining {
  readonly user: string;
  readonly status: "pending" | "active";
  readonly groups: readonly string[];
}

async function join(db: Scoped, call: StaffCall, { user, status, groups }: Joining): Promise<{ groups: string[] }> {
  const { tenant } = call;
  const all = [...new Set(groups)];
  await db.insertInto("memberships").values({ tenant_id: tenant, user_id: user, status }).execute();
  await sql`insert into membership_groups (tenant_id, user_id, group_id) select ${tenant}, ${user}, one from unnest(${all}::uuid[]) one`.execute(
    db,
  );
  return { groups: (await linkedRecords(db, tenant, "user_groups", all)).map(auditLabel) };
}

async function mailPassword(db: Scoped, call: StaffCall, to: { email: string; name: string }, password: string): Promise<void> {
  const { deps, tenant, caller, language } = call;
  const house = await db.selectFrom("tenants").select("name").where("id", "=", tenant).executeTakeFirstOrThrow();
  const words = { tenant: house.name, by: caller.name, name: to.name, email: to.email, password, link: `${deps.config.publicUrl}/login` };
  await putMail(db, deps, tenant, {
    to: to.email,
    subject: mailText(language, "mail.invitation.subject", words),
    text: mailText(language, "mail.password.text", words),
    language,
    shared: false,
  });
}

/** An invitation of this tenant that nobody has accepted; of an owner only for owners, because its groups are given by it. */
async function invited(db: Scoped, call: StaffCall, uuid: string, version: number): Promise<{ row: UserRow; own: Holdings }> {
  const own = await lockPeople(db, call, `${area}.invite`);
  const row = await seenUser(db, call, uuid, version);
  requireOwnerFor(own, row.owner);
  if (row.membership !== "pending") throw new Refusal("user.not-pending");
  return { row, own };
}

/** Whoever asks whether an address is somebody's is limited in how often. */
async function countLookUp({ deps, tenant, caller }: StaffCall): Promise<void> {
  const within = await Promise.all([
    withinThrottle(deps.database, `look-up:${tenant}:${caller.id}`, lookUpsPerCaller, quarterHour),
    withinThrottle(deps.database, `look-up:${tenant}`, lookUpsPerTenant, quarterHour),
  ]);
  if (within.includes(false)) throw new Refusal("request.too-many");
}

const auditLookUp = (db: Scoped, call: StaffCall, email: string) =>
  record(db, call.tenant, actorOf(call), { act: "user.look-up", entity: "user", entityId: null, after: { email } });

/** A refusal that tells whether an address is somebody's is a look-up: limited in number and on record. */
async function asLookUp(error: unknown, call: StaffCall, email: string): Promise<never> {
  if (error instanceof Refusal && (error.code === "user.not-found" || error.code === "user.known")) {
    await countLookUp(call);
    await inTenant(call.deps.database, call.tenant, (db) => auditLookUp(db, call, email));
  }
  throw error;
}

/** Counts a mailed invitation; refuses where the person was mailed too many of this tenant's. */
async function countMail({ deps, tenant }: StaffCall, person: string): Promise<void> {
  if (!(await withinThrottle(deps.database, `invite:${tenant}:${person}`, mailsPerPerson, hour))) throw new Refusal("request.too-many");
}

export const addUserHandlers: Handlers<R, StaffCall> = {
  async lookUpUser(call, { body: { email } }) {
    const { deps, tenant, caller } = call;
    await countLookUp(call);
    return inTenant(deps.database, tenant, async (db) => {
      const account = await accountOf(db, email);
      // looked for though there is no account, so that both take as long
      const row = await findUser(db, call, account?.id ?? caller.session);
      await auditLookUp(db, call, email);
      return { data: { found: account !== undefined, member: row ? { uuid: row.id, status: row.status } : null } };
    });
  },

  async inviteUser(call, { body: { email, groups } }) {
    const data = await once(call, null, async (db) => {
      await giver(db, call, "invite", groups);
      const account = await accountOf(db, email);
      if (!account) throw new Refusal("user.not-found");
      if (await findUser(db, call, account.id)) throw new Refusal("user.member");
      await countMail(call, account.id);
      const joined = await join(db, call, { user: account.id, status: "pending", groups });
      await invite(db, call, { ...account, isNew: false });
      await audit(db, refOf(call, account.id), actorOf(call), "invite", { after: { email: account.email, ...joined } });
      return { answer: userView(await known(db, call, account.id)) };
    }).catch((error: unknown) => asLookUp(error, call, email));
    return { data };
  },

  async createUser(call, { body: { email, name, groups, delivery } }) {
    const { deps, tenant, gone } = call;
    const id = randomUUID();
    const password = delivery === "link" ? null : temporaryPassword();
    // hashed before the transaction, which holds the tenant's lock
    const hash = password === null ? null : await hashPassword(password, { lane: "known", gone });
    const kept = await once<{ row: User; sealed: string | null }>(call, null, async (db) => {
      await giver(db, call, "create", groups);
      const account = await accountOf(db, email);
      if (account) throw new Refusal((await findUser(db, call, account.id)) ? "user.member" : "user.known");
      await db
        .insertInto("users")
        .values({ id, email, name, password_hash: hash, force_reset_password: hash !== null })
        .execute()
        .catch((error: unknown) => {
          throw violated(error) === "users_email" ? new Refusal("user.known") : error;
        });
      const joined = await join(db, call, { user: id, status: delivery === "link" ? "pending" : "active", groups });
      if (delivery === "link") await invite(db, call, { id, email, name, isNew: true });
      if (delivery === "mailed" && password !== null) await mailPassword(db, call, { email, name }, password);
      await audit(db, refOf(call, id), actorOf(call), "create", { after: { email, name, ...joined, delivery } });
      // a repetition with the same Idempotency-Key shows the same password; it is stored sealed
      const shown = delivery === "shown" && password !== null ? deps.secrets.seal(password, passwordPlace(tenant, id)) : null;
      return { answer: { row: userView(await known(db, call, id)), sealed: shown?.toString("base64") ?? null } };
    }).catch((error: unknown) => asLookUp(error, call, email));
    const { row, sealed } = kept;
    const shown = sealed === null ? null : deps.secrets.open(Buffer.from(sealed, "base64"), passwordPlace(tenant, row.uuid));
    return { data: { row, password: shown } };
  },

  async resendInvitation(call, { params: { uuid }, body: { version } }) {
    const { tenant } = call;
    const data = await once(call, null, async (db) => {
      const { row, own } = await invited(db, call, uuid, version);
      requireAll(own, holdingsIn(row));
      await countMail(call, uuid);
      const isNew = row.name !== null;
      await invite(db, call, { id: uuid, email: row.email, name: row.name ?? "", isNew });
      await sql`update memberships set version = version + 1, updated_at = clock_timestamp()
        where tenant_id = ${tenant} and user_id = ${uuid}`.execute(db);
      await audit(db, refOf(call, uuid), actorOf(call), "resend-invitation", {});
      return { answer: userView(await known(db, call, uuid)) };
    });
    return { data };
  },

  async withdrawInvitation(call, { params: { uuid }, body: { version } }) {
    const { tenant } = call;
    await once(call, null, async (db) => {
      const { row } = await invited(db, call, uuid, version);
      await endInvitation(db, tenant, uuid, "withdrawn");
      await sql`delete from memberships where tenant_id = ${tenant} and user_id = ${uuid}`.execute(db);
      await audit(db, refOf(call, uuid), actorOf(call), "withdraw-invitation", { before: { email: row.email, groups: row.group_names } });
      return { answer: {} };
    });
    return { data: {} };
  },
};
