import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import type { DemoUser } from "./people.ts";
import type { Random } from "./random.ts";

interface Colleague {
  readonly email: string;
  readonly name: string;
  /** The code of their group. */
  readonly group: string;
  readonly status: "inactive" | "suspended" | "pending";
  /** Days from now until their invitation is over. */
  readonly invitedFor?: number;
}

/** People of a tenant who cannot sign in, so that its users are in every state there is. */
const colleagues: readonly Colleague[] = [
  { email: "hafiz@demo.example", name: "Hafiz Osman", group: "operator", status: "inactive" },
  { email: "grace@demo.example", name: "Grace Lim Su Yin", group: "support", status: "suspended" },
  { email: "nadia@demo.example", name: "Nadia Rahman", group: "operator", status: "pending", invitedFor: 5 },
  { email: "omar@demo.example", name: "Omar Yusof", group: "support", status: "pending", invitedFor: -2 },
];
/** What one of the tenant's supporters holds besides what the group gives. */
const direct = ["pas.transaction.deposits.receipt", "pas.transaction.withdrawals.receipt"];
const [day, invitationDays] = [86_400_000, 7];

/** Adds them to a tenant whose groups and logins are there. */
export async function insertColleagues(
  client: ClientBase,
  { tenant, owner, supporter }: { readonly tenant: string; readonly owner: DemoUser; readonly supporter: DemoUser },
  random: Random,
  at: number,
): Promise<void> {
  for (const { email, name, group, status, invitedFor } of colleagues) {
    const made = at + ((invitedFor ?? 0) - invitationDays) * day;
    const id = random.uuid(made);
    await client.query("insert into users (id, email, name, created_at, updated_at) values ($1, $2, $3, $4, $4)", [
      id,
      email,
      name,
      new Date(made),
    ]);
    await client.query("insert into memberships (tenant_id, user_id, status, created_at, updated_at) values ($1, $2, $3, $4, $4)", [
      tenant,
      id,
      status,
      new Date(made),
    ]);
    await client.query(
      "insert into membership_groups (tenant_id, user_id, group_id) select tenant_id, $2, id from user_groups where tenant_id = $1 and code = $3",
      [tenant, id, group],
    );
    if (invitedFor === undefined) continue;
    await client.query(
      `insert into invitations (tenant_id, id, user_id, hash, by_user, is_new, made_at, expires_at)
        values ($1, $2, $3, $4, $5, true, $6, $7)`,
      [
        tenant,
        random.uuid(made),
        id,
        createHash("sha256").update(random.uuid(made)).digest(),
        owner.id,
        new Date(made),
        new Date(at + invitedFor * day),
      ],
    );
  }
  await client.query("update memberships set permissions = $3 where tenant_id = $1 and user_id = $2", [tenant, supporter.id, direct]);
}
