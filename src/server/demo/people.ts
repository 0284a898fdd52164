import type { ClientBase } from "pg";
import { startingGroups } from "../tenants/groups.ts";
import type { Random } from "./random.ts";

/** The kinds of demo user; each has at least one login. */
type DemoKind = "owner" | "operator" | "support" | "supervisor" | "profile-only";

export interface DemoLogin {
  readonly email: string;
  readonly name: string;
  readonly kind: DemoKind;
  /** Codes of the tenants it belongs to. */
  readonly tenants: readonly string[];
}

export interface DemoUser extends DemoLogin {
  readonly id: string;
}

/** The password of every demo user; printed at the start. */
export const demoPassword = "countinghouse";

export const demoLogins: readonly DemoLogin[] = [
  { email: "farah@demo.example", name: "Farah Iskandar", kind: "owner", tenants: ["MHP"] },
  { email: "dewi@demo.example", name: "Dewi Wulandari", kind: "operator", tenants: ["MHP", "TJR", "LPG"] },
  { email: "nurul@demo.example", name: "Nurul Aisyah Razak", kind: "operator", tenants: ["MHP"] },
  { email: "peiling@demo.example", name: "Tan Pei Ling", kind: "operator", tenants: ["MHP"] },
  { email: "krit@demo.example", name: "Krit Chaiyaporn", kind: "operator", tenants: ["MHP"] },
  { email: "rizky@demo.example", name: "Rizky Hidayat", kind: "operator", tenants: ["MHP", "TJR"] },
  { email: "huong@demo.example", name: "Lê Thị Hương", kind: "support", tenants: ["MHP"] },
  { email: "suresh@demo.example", name: "Suresh Pillai", kind: "supervisor", tenants: ["MHP"] },
  { email: "arif@demo.example", name: "Arif Budiman", kind: "profile-only", tenants: ["MHP"] },
  { email: "meixuan@demo.example", name: "Goh Mei Xuan", kind: "owner", tenants: ["TJR"] },
  { email: "bayu@demo.example", name: "Bayu Permana", kind: "operator", tenants: ["TJR"] },
  { email: "huimin@demo.example", name: "Koh Hui Min", kind: "supervisor", tenants: ["TJR"] },
  { email: "anitha@demo.example", name: "Anitha Menon", kind: "support", tenants: ["TJR"] },
  { email: "thao@demo.example", name: "Bùi Ngọc Thảo", kind: "owner", tenants: ["LPG"] },
  { email: "angelo@demo.example", name: "Angelo Villanueva", kind: "operator", tenants: ["LPG"] },
  { email: "linh@demo.example", name: "Đặng Minh Linh", kind: "operator", tenants: ["LPG"] },
  { email: "rowena@demo.example", name: "Rowena Mercado", kind: "supervisor", tenants: ["LPG"] },
  { email: "noel@demo.example", name: "Noel Domingo", kind: "support", tenants: ["LPG"] },
];

/** Creates the groups of every tenant, the users and their memberships. `tenants`: code → id. */
export async function seedPeople(
  client: ClientBase,
  tenants: ReadonlyMap<string, string>,
  random: Random,
  since: number,
  passwordHash: string,
): Promise<DemoUser[]> {
  const groupIds = new Map<string, string>();
  for (const [code, tenant] of tenants) {
    for (const group of startingGroups) {
      const id = random.uuid(since);
      groupIds.set(`${code} ${group.code}`, id);
      await client.query(
        "insert into user_groups (tenant_id, id, code, name, permissions, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)",
        [tenant, id, group.code, group.name, group.permissions, new Date(since)],
      );
    }
  }
  const users: DemoUser[] = [];
  for (const login of demoLogins) {
    const id = random.uuid(since);
    users.push({ ...login, id });
    const created = new Date(since);
    await client.query("insert into users (id, email, name, password_hash, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)", [
      id,
      login.email,
      login.name,
      passwordHash,
      created,
    ]);
    for (const code of login.tenants) {
      const tenant = tenants.get(code);
      await client.query("insert into memberships (tenant_id, user_id, created_at, updated_at) values ($1, $2, $3, $3)", [
        tenant,
        id,
        created,
      ]);
      await client.query("insert into membership_groups (tenant_id, user_id, group_id) values ($1, $2, $3)", [
        tenant,
        id,
        groupIds.get(`${code} ${login.kind}`),
      ]);
    }
  }
  return users;
}
