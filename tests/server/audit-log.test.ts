import { randomUUID } from "node:crypto";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditEntry, AuditEntryDetail, ChainPart } from "../../src/contract/audit-log.ts";
import { auditedEntities, auditLogRoutes } from "../../src/contract/audit-log.ts";
import { auditLogHandlers } from "../../src/server/audit/audit-log.ts";
import { anchorAudit, sealAudit } from "../../src/server/audit/seal.ts";
import { testDatabase } from "../support/database.ts";
import { makeMerchant, makePerson, makeTenant } from "../support/factories.ts";
import type { Person, Tenant } from "../support/factories.ts";
import { serve } from "../support/http.ts";
import type { Answered, Asked, Served } from "../support/http.ts";
import { asMember, giveDirectly, ownerOf } from "../support/people.ts";
import { makeOffice } from "../support/payments.ts";
import { readsOf } from "../support/reads-by.ts";

// Some tests spoil a chain.
const db = testDatabase({ invariants: false });
const anchors = mkdtempSync(join(tmpdir(), "countinghouse-anchors-"));
let served: Served;
let tenant: Tenant;
let owner: Person;
let merchant: { readonly id: string; readonly code: string };
let call: (name: "listAuditEntries" | "readAuditEntry" | "checkAuditChain", asked?: Asked) => Promise<Answered>;

beforeAll(async () => {
  served = await serve(db, { environment: { DATA_DIR: anchors } });
  tenant = await makeTenant(db);
  owner = await ownerOf(db, tenant);
  merchant = { id: (await makeMerchant(db, tenant, { name: "Harbour Goods", code: "HARBOUR" })).id, code: "HARBOUR" };
  call = await asMember(served, tenant, owner);
});
afterAll(async () => {
  await served.app.close();
  rmSync(anchors, { recursive: true });
});

/** Entries as acts write them. */
async function write(
  of: Tenant,
  entries: readonly Partial<Record<"by" | "act" | "entity" | "id" | "reason" | "ip" | "request" | "at", string>>[],
) {
  for (const { by = "Ann Lim", act = "merchant.update", entity = "merchant", id, reason, ip, request, at } of entries)
    await db.owner.query(
      `insert into audit_entries (tenant_id, at, actor_kind, actor_id, actor_name, act, entity, entity_id, before, after, reason, ip, request_id)
        values ($1, coalesce($2::timestamptz, clock_timestamp()), 'user', $3, $4, $5, $6, $7, '{"name": "Harbour"}', '{"name": "Harbour Goods"}', $8, $9, $10)`,
      [of.id, at ?? null, owner.id, by, act, entity, id ?? null, reason ?? null, ip ?? null, request ?? null],
    );
}
const newestFirst = (query: Record<string, string>) => ({ sort: "-created_at", ...query });
const listed = async (query: Record<string, string>) =>
  (await call("listAuditEntries", { query: newestFirst(query) })).data as AuditEntry[]; // the contract's shape
const read = async (uuid: string, by = call) => (await by("readAuditEntry", { params: { uuid } })).data as AuditEntryDetail; // the contract's shape

describe("an entry", () => {
  const request = randomUUID();
  beforeAll(async () => {
    await write(tenant, [
      { id: merchant.id, reason: "asked by phone", ip: "203.0.113.9", request },
      { act: "merchant.change-status", id: merchant.id, by: "Ben Ooi" },
      { act: "session.start", entity: "user", id: owner.id, at: "2026-01-05T08:00:00Z" },
      { act: "vendor.create", entity: "vendor", id: randomUUID(), by: "Ben Ooi" },
    ]);
  });

  test("says who did what to which record, when, from where, why and by which request, and what became of each field", async () => {
    const [row] = await listed({ "filter[request_id]": request });
    expect(row).toMatchObject({
      by: "Ann Lim",
      by_kind: "user",
      act: "update",
      entity: "merchant",
      of: merchant.id,
      name: merchant.code,
      reason: "asked by phone",
      ip: "203.0.113.9",
      request_id: request,
    });
    const detail = await read(row?.uuid ?? "");
    expect(detail).toMatchObject({ code: "merchant.update", by_uuid: owner.id });
    expect(detail.changes).toEqual([{ field: "name", before: "Harbour", after: "Harbour Goods" }]);
  });

  test.each([
    ["person", { "filter[by]": "ben" }, ["create", "change-status"]],
    ["kind of record", { "filter[entity]": "vendor,user" }, ["create", "start"]],
    ["act", { "filter[act]": "change-status" }, ["change-status"]],
    ["window", { "filter[created_at_from]": "2026-01-01T00:00:00Z", "filter[created_at_to]": "2026-02-01T00:00:00Z" }, ["start"]],
  ])("is filtered by %s", async (_, query, acts) => {
    const rows = await listed(query as Record<string, string>); // each of texts
    expect(rows.map(({ act }) => act)).toEqual(acts);
  });

  test.each(["hold", "send-callback", "remark", "revoke-old-secret", "export-download", "export-delete", "end-now", "go-down", "come-up"])(
    "is found by the act %s, which has a name in every language",
    (act) => {
      expect(auditLogRoutes.listAuditEntries.query.safeParse({ "filter[act]": act }).success).toBe(true);
      const nameless = globSync("locales/*.json").filter((file) => !readFileSync(file, "utf8").includes(`"audit-entry.act.${act}"`));
      expect(nameless).toEqual([]);
    },
  );

  test("is found by its record and by its request, the newest first", async () => {
    const acts = async (query: Record<string, string>) => (await listed(query)).map(({ act }) => act);
    const both = ["change-status", "update"];
    expect(await acts({ "filter[of]": merchant.id })).toEqual(both);
    expect(await acts({ q: merchant.id })).toEqual(both);
    expect(await acts({ q: merchant.code.toLowerCase() })).toEqual(both);
    expect(await acts({ q: request })).toEqual(["update"]);
    expect([await acts({ q: "nothing of ours" }), await acts({ "filter[of]": "no uuid" })]).toEqual([[], []]);
  });

  test("keeps what a record is called and what was changed from who may not see such records, and nothing else", async () => {
    const auditor = await makePerson(db, tenant, "Auditor");
    await giveDirectly(db, tenant, auditor, ["audit-log.view", "vs.vendor.vendors.view"]);
    const by = await asMember(served, tenant, auditor);
    const rows = (await by("listAuditEntries", { query: newestFirst({ "filter[of]": merchant.id }) })).data as AuditEntry[]; // the contract's shape
    expect(rows.map(({ act, name, reason }) => [act, name, reason])).toEqual([
      ["change-status", null, null],
      ["update", null, "asked by phone"],
    ]);
    expect((await read(rows[1]?.uuid ?? "", by)).changes).toBeNull();
    const [ofVendor] = (await by("listAuditEntries", { query: { "filter[entity]": "vendor" } })).data as AuditEntry[]; // as above
    expect((await read(ofVendor?.uuid ?? "", by)).changes).toHaveLength(1);
  });

  test("tells nothing of somebody who was only invited", async () => {
    const { rows } = await db.owner.query<{ id: string }>(
      "insert into users (email, name) values ($1, 'Nobody''s Business') returning id",
      [`${randomUUID()}@example.com`],
    );
    const id = rows[0]?.id ?? "";
    await db.owner.query("insert into memberships (tenant_id, user_id, status) values ($1, $2, 'pending')", [tenant.id, id]);
    await write(tenant, [{ act: "user.invite", entity: "user", id }]);
    const name = async () => (await listed({ "filter[of]": id }))[0]?.name;
    expect(await name()).toBeNull();
    await db.owner.query("update memberships set status = 'active' where user_id = $1", [id]);
    expect(await name()).toBe("Nobody's Business");
  });
});

describe("the chain", () => {
  /** Gone through as the console does: from 0 on, part after part. */
  async function gone(by: typeof call): Promise<ChainPart> {
    let after = 0;
    for (;;) {
      const part = (await by("checkAuditChain", { query: { after: String(after) } })).data as ChainPart; // the contract's shape
      if (part.broken !== null || part.checked >= part.head) return part;
      after = part.checked;
    }
  }
  async function sealed(entries: number) {
    const place = await makeTenant(db);
    await db.owner.query(
      `insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity) select $1, 'system', 'system', 'user.read', 'user'
        from generate_series(1, $2::integer)`,
      [place.id, entries],
    );
    await sealAudit(served.deps);
    return { place, by: await asMember(served, place, await ownerOf(db, place)) };
  }
  async function spoil(change: string, values: readonly unknown[]) {
    await db.owner.query("begin");
    await db.owner.query("set local session_replication_role = replica");
    await db.owner.query(change, [...values]);
    await db.owner.query("commit");
  }

  test("is gone through in parts to its head, and what is not sealed yet is said to wait", async () => {
    const { place, by } = await sealed(10_500);
    const whole = await gone(by);
    expect(whole).toMatchObject({ broken: null, waiting: 0, waiting_since: null });
    expect([whole.checked, whole.head >= 10_500]).toEqual([whole.head, true]);
    await write(place, [{}]);
    const more = await gone(by);
    expect([more.broken, more.waiting, typeof more.waiting_since]).toEqual([null, 1, "string"]);
    const [row] = (await by("listAuditEntries", { query: newestFirst({ limit: "1" }) })).data as AuditEntry[]; // the contract's shape
    expect(row?.seal).toBeNull();
    await sealAudit(served.deps);
    expect(await gone(by)).toMatchObject({ broken: null, checked: whole.head + 1, waiting: 0 });
  });

  const third = "(select entry_id from audit_chain where tenant_id = $1 and seq = 3)";
  test.each([
    ["an entry edited", `update audit_entries set reason = 'other' where tenant_id = $1 and id = ${third}`, 3, true],
    ["an entry taken out", `delete from audit_entries where tenant_id = $1 and id = ${third}`, 3, false],
    ["an entry taken out with its place", "delete from audit_chain where tenant_id = $1 and seq = 3", 4, true],
    [
      "its end cut off",
      "delete from audit_chain c using audit_heads h where c.tenant_id = $1 and h.tenant_id = $1 and c.seq > h.seq - 2",
      null,
      false,
    ],
    ["a head that tells of another end", "update audit_heads set hash = '\\x00' where tenant_id = $1", null, false],
  ])("is broken by %s, and leads to where", async (_, change, at, isThere) => {
    const { place, by } = await sealed(6);
    const { head, broken: before } = await gone(by);
    expect(before).toBeNull();
    await spoil(change, [place.id]);
    const { broken } = await gone(by);
    expect([broken?.seal, broken?.uuid !== null]).toEqual([at ?? head, isThere]);
  });

  test("is vouched for by the anchors outside the database, which tell of a chain that was written anew", async () => {
    const { place, by } = await sealed(4);
    expect((await gone(by)).anchored).toBeNull();
    await anchorAudit(served.deps, anchors, new Map());
    const { head, anchored } = await gone(by);
    expect(anchored).toEqual({ seal: head, at: expect.any(String), contradicted: null });
    const anew = "sha256(c.previous || audit_payload(e))";
    await spoil(
      `update audit_entries set reason = 'other' where tenant_id = $1 and id = (select entry_id from audit_chain where tenant_id = $1 and seq = ${head})`,
      [place.id],
    );
    await spoil(
      `update audit_chain c set hash = ${anew} from audit_entries e where c.tenant_id = $1 and c.seq = ${head} and e.tenant_id = $1 and e.id = c.entry_id`,
      [place.id],
    );
    await spoil("update audit_heads h set hash = c.hash from audit_chain c where h.tenant_id = $1 and c.tenant_id = $1 and c.seq = h.seq", [
      place.id,
    ]);
    // within the database all of it agrees
    expect(await gone(by)).toMatchObject({ broken: null, anchored: { seal: head, contradicted: head } });
  });

  test("of another tenant is none of one's business", async () => {
    const { place, by } = await sealed(3);
    const other = await sealed(3);
    await spoil(`update audit_entries set reason = 'other' where tenant_id = $1 and id = ${third}`, [other.place.id]);
    expect((await gone(by)).broken).toBeNull();
    expect(place.id).not.toBe(other.place.id);
  });
});

test("of many a page, a record's entries and a request's are read by indexes alone", async () => {
  const office = await makeOffice(db);
  const of = randomUUID();
  await db.owner.query(
    `insert into audit_entries (tenant_id, at, actor_kind, actor_name, act, entity, entity_id, request_id)
      select $1, now() - n * interval '1 minute', 'system', 'Name ' || n % 50, 'deposit.' || n % 9, (array['deposit', 'withdrawal', 'merchant'])[1 + n % 3],
        case when n % 10000 = 0 then $2::uuid else gen_random_uuid() end, 'r' || n
      from generate_series(1, 40000) n`,
    [office.tenant.id, of],
  );
  await db.owner.query("analyze");
  const since = new Date(Date.now() - 100.5 * 60_000).toISOString();
  const { whole, indexed } = await readsOf(
    db,
    async (database) => {
      const by = { ...office.call(), deps: { ...office.deps, database } };
      const counts: number[] = [];
      for (const query of [
        { limit: "50" },
        { "filter[created_at_from]": since, with: "count" },
        { "filter[of]": of },
        { q: of },
        { q: "r777" },
      ]) {
        const asked = { sort: "-created_at", ...query };
        // oxlint-disable-next-line no-await-in-loop -- one connection
        const { data } = await auditLogHandlers.listAuditEntries(by, {
          query: auditLogRoutes.listAuditEntries.query.parse(asked),
          params: undefined,
          body: undefined,
        });
        counts.push(data.length);
      }
      expect(counts).toEqual([50, 100, 4, 4, 1]);
    },
    { tables: ["audit_entries"] },
  );
  expect(whole).toBe(0);
  expect(indexed).toBeLessThan(2_000);
});

test("every entity that the server records is one the log has a word and a right for", () => {
  const written = globSync("src/server/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bentity: "([a-z-]+)"/g)].map(([, name = ""]) => name),
  );
  expect(written.length).toBeGreaterThan(20);
  expect([...new Set(written)].filter((name) => !(name in auditedEntities))).toEqual([]);
});
