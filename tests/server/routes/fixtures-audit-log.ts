import type { auditLogRoutes } from "../../../src/contract/audit-log.ts";
import { makePerson } from "../../support/factories.ts";
import type { Fixture, Site } from "./fixtures.ts";

/** An act on somebody of the site's tenant. */
async function entry({ office, mark }: Site): Promise<{ id: string; of: string }> {
  const { id: of } = await makePerson(office.db, office.tenant, mark);
  const { rows } = await office.db.owner.query<{ id: string }>(
    `insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity, entity_id, reason)
      values ($1, 'user', $2, 'user.update', 'user', $3, $2) returning id`,
    [office.tenant.id, mark, of],
  );
  return { id: rows[0]?.id ?? "", of };
}

export const auditLogFixtures: Readonly<Record<keyof typeof auditLogRoutes, Fixture>> = {
  listAuditEntries: {
    foreign: "an empty list",
    make: async (site) => ({ query: { "filter[of]": (await entry(site)).of, with: "count" } }),
  },
  readAuditEntry: { foreign: "not found", make: async (site) => ({ params: { uuid: (await entry(site)).id } }) },
  checkAuditChain: { foreign: "names no ids", make: async () => ({ query: { after: "0" } }) },
};
