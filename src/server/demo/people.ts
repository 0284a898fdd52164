import type { ClientBase } from "pg";
import { permissions } from "../../contract/permissions.ts";
import type { Random } from "./random.ts";

/** The five kinds of user of domain.md 2. */
export type DemoKind = "owner" | "operator" | "support" | "supervisor" | "profile";

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

/** The same for every demo user; printed at the start. */
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
  { email: "arif@demo.example", name: "Arif Budiman", kind: "profile", tenants: ["MHP"] },
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

const own = ["profile.view", "profile.update", "dashboard.view"];
const views = permissions.filter((name) => name.endsWith(".view") && !name.startsWith("cas.") && name !== "tenant-setting.view");
const inArea = (area: string, actions: string) => actions.split(" ").map((action) => `${area}.${action}`);

const groups: Record<DemoKind, { name: string; permissions: readonly string[] }> = {
  // holds every permission by its code alone
  owner: { name: "Owners", permissions: [] },
  operator: {
    name: "Operators",
    permissions: [
      ...own,
      ...inArea("pas.transaction.deposits", "view process approve reject reopen send-callback receipt export"),
      ...inArea("pas.transaction.withdrawals", "view process take-over approve reject recall send-callback receipt export"),
      ...inArea("pas.transaction.bank-transactions", "view import match unmatch ignore"),
      ...inArea("pas.account.accounts", "view"),
      ...inArea("pas.account.transactions", "view"),
      ...inArea("pas.merchant.merchants", "view"),
      ...inArea("pas.merchant.transactions", "view"),
    ],
  },
  support: {
    name: "Support",
    permissions: [...own, ...views, "pas.transaction.deposits.send-callback", "pas.transaction.withdrawals.send-callback"],
  },
  supervisor: {
    name: "Supervisors",
    permissions: [
      ...own,
      ...views,
      ...permissions.filter((name) => name.startsWith("pas.report.")),
      "pas.transaction.withdrawals.second-approve",
      "pas.transaction.withdrawals.take-over",
      "audit-log.view",
    ],
  },
  profile: { name: "Profile only", permissions: ["profile.view", "profile.update"] },
};

/** Creates the groups in every tenant and the users with their memberships. `tenants`: code → id. */
export async function seedPeople(
  client: ClientBase,
  tenants: ReadonlyMap<string, string>,
  random: Random,
  since: number,
  passwordHash: string,
): Promise<DemoUser[]> {
  const groupIds = new Map<string, string>();
  for (const [code, tenant] of tenants) {
    for (const [kind, group] of Object.entries(groups)) {
      const id = random.uuid(since);
      groupIds.set(`${code} ${kind}`, id);
      await client.query("insert into user_groups (tenant_id, id, code, name, permissions) values ($1, $2, $3, $4, $5)", [
        tenant,
        id,
        kind,
        group.name,
        [...new Set(group.permissions)],
      ]);
    }
  }
  const users: DemoUser[] = [];
  for (const login of demoLogins) {
    const id = random.uuid(since);
    users.push({ ...login, id });
    const created = new Date(since);
    await client.query(
      "insert into users (id, email, name, password_hash, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)",
      [id, login.email, login.name, passwordHash, created],
    );
    for (const code of login.tenants) {
      const tenant = tenants.get(code);
      await client.query("insert into memberships (tenant_id, user_id, created_at) values ($1, $2, $3)", [tenant, id, created]);
      await client.query("insert into membership_groups (tenant_id, user_id, group_id) values ($1, $2, $3)", [
        tenant,
        id,
        groupIds.get(`${code} ${login.kind}`),
      ]);
    }
  }
  return users;
}
