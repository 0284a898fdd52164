import { randomUUID } from "node:crypto";
import type { RouteName } from "../../src/contract/index.ts";
import { sha256, randomToken } from "../../src/server/auth/tokens.ts";
import { mailPlace } from "../../src/server/mail/mails.ts";
import type { TestDatabase } from "./database.ts";
import type { Person, Tenant } from "./factories.ts";
import { ask, sessionOf } from "./http.ts";
import type { Answered, Asked, Served } from "./http.ts";

/** Inserted as the owner, under a code of its own. */
export async function makeUserGroup(
  { owner }: TestDatabase,
  tenant: Tenant,
  permissions: readonly string[] = [],
  { code = randomUUID(), name = `Group ${code}` }: { code?: string; name?: string } = {},
): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    "insert into user_groups (tenant_id, code, name, permissions) values ($1, $2, $3, $4) returning id",
    [tenant.id, code, name, permissions],
  );
  return rows[0]?.id ?? "";
}

export async function putIntoGroup({ owner }: TestDatabase, tenant: Tenant, person: Pick<Person, "id">, group: string): Promise<void> {
  await owner.query("insert into membership_groups (tenant_id, user_id, group_id) values ($1, $2, $3)", [tenant.id, person.id, group]);
}

/** Gives a member these direct permissions. */
export async function giveDirectly(db: TestDatabase, tenant: Tenant, { id }: Pick<Person, "id">, rights: readonly string[]): Promise<void> {
  await db.owner.query("update memberships set permissions = $3 where tenant_id = $1 and user_id = $2", [tenant.id, id, rights]);
}

/** Makes a member an owner. */
export async function makeOwner({ owner }: TestDatabase, tenant: Tenant, { id }: Pick<Person, "id">): Promise<void> {
  await owner.query(
    "insert into membership_groups (tenant_id, user_id, group_id) select tenant_id, $2, id from user_groups where tenant_id = $1 and code = 'owner'",
    [tenant.id, id],
  );
}

/** Whom the tenant was made with. */
export async function ownerOf({ owner }: TestDatabase, tenant: Tenant): Promise<Person> {
  const { rows } = await owner.query<Person>(
    `select u.id, u.name from membership_groups mg join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id and g.code = 'owner'
      join users u on u.id = mg.user_id where mg.tenant_id = $1 order by u.created_at limit 1`,
    [tenant.id],
  );
  const found = rows[0];
  if (!found) throw new Error("the tenant has no owner");
  return found;
}

/** An account that belongs to no tenant yet. */
export async function makeAccountOf({ owner }: TestDatabase, name = "Tan Wei Ming"): Promise<Person & { email: string }> {
  const id = randomUUID();
  const email = `${id}@example.com`;
  await owner.query("insert into users (id, email, name) values ($1, $2, $3)", [id, email, name]);
  return { id, name, email };
}

/** A pending membership with its invitation; answers the token of the mailed link. */
export async function makeInvitation(
  { owner }: TestDatabase,
  tenant: Tenant,
  { id }: Pick<Person, "id">,
  { by, isNew = false, days = 7 }: { by?: string; isNew?: boolean; days?: number } = {},
): Promise<string> {
  const token = `${tenant.id}.${randomToken()}`;
  await owner.query("insert into memberships (tenant_id, user_id, status) values ($1, $2, 'pending') on conflict do nothing", [
    tenant.id,
    id,
  ]);
  await owner.query(
    `insert into invitations (tenant_id, user_id, hash, by_user, is_new, expires_at)
      values ($1, $2, $3, $4, $5, now() + make_interval(days => $6))`,
    [tenant.id, id, sha256(token), by ?? id, isNew, days],
  );
  return token;
}

/** A call of one member of a tenant, by a session of their own. */
export async function asMember(served: Served, tenant: Tenant, { id }: Pick<Person, "id">) {
  const { access_token: token } = await sessionOf(served.deps, id);
  return (name: RouteName, asked: Asked = {}): Promise<Answered> => ask(served, name, { token, tenant: tenant.id, ...asked });
}

/** What somebody holds in a tenant by what the next request would find, in order. */
export async function heldIn({ owner }: TestDatabase, tenant: Tenant, { id }: Pick<Person, "id">): Promise<string[]> {
  const { rows } = await owner.query<{ held: string[] }>(
    `select array(select distinct p from (select unnest(m.permissions) p union all
        select unnest(case when g.code = 'owner' then '{owner}' else g.permissions end) from membership_groups mg
          join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id
          where mg.tenant_id = m.tenant_id and mg.user_id = m.user_id) held order by p) as held
      from memberships m where m.tenant_id = $1 and m.user_id = $2`,
    [tenant.id, id],
  );
  return rows[0]?.held ?? [];
}

/** The mails kept for an address, newest first, opened. */
export async function mailsTo(
  served: Served,
  { owner }: TestDatabase,
  email: string,
): Promise<{ subject: string; text: string; shared: boolean }[]> {
  const { rows } = await owner.query<{ tenant_id: string; id: string; subject: string; body: Buffer; shared: boolean }>(
    "select tenant_id, id, subject, body, shared from mails where recipient = $1 order by created_at desc, id desc",
    [email],
  );
  return rows.map(({ tenant_id, id, subject, body, shared }) => ({
    subject,
    text: served.deps.secrets.open(body, mailPlace(tenant_id, id)),
    shared,
  }));
}

/** The token of the newest link mailed to an address. */
export async function tokenFor(served: Served, db: TestDatabase, email: string): Promise<string> {
  const [mail] = await mailsTo(served, db, email);
  const link = /https?:\S+\/invitation\?\S+/.exec(mail?.text ?? "")?.[0];
  if (link === undefined) throw new Error(`no link was mailed to ${email}`);
  return new URL(link).searchParams.get("token") ?? "";
}
