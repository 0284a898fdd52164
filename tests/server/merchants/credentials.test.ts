import { brotliDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import type { SecretLife } from "../../../src/contract/secrets.ts";
import { tenantMerchantRoutes } from "../../../src/contract/merchants.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import { authenticateMerchant } from "../../../src/server/merchant-api/authenticate.ts";
import { signRequest } from "../../../src/server/merchant-api/sign.ts";
import { tenantMerchantHandlers as act } from "../../../src/server/merchants/merchants.ts";
import { testDatabase } from "../../support/database.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let merchant: SigningMerchant;
beforeEach(async () => {
  office = await makeOffice(db);
  merchant = await makeSigningMerchant(db, office.deps, office.tenant);
});

const reset = (old_secret: SecretLife, version = 1, call: StaffCall = office.call()) =>
  act
    .resetMerchantCredentials(call, { params: { uuid: merchant.id }, query: undefined, body: { version, old_secret } })
    .then(({ data }) => data);

let requests = 0;
/** Whether a request signed with this secret is the merchant's. */
async function signs(secret: string): Promise<boolean> {
  const request = { method: "GET", path: `/balance?n=${++requests}`, idempotencyKey: "", body: "" };
  const headers = signRequest({ apiKey: merchant.apiKey, secret }, request);
  return authenticateMerchant(office.deps, { ...request, headers, ip: "203.0.113.7" }).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: "signature.invalid" });
      return false;
    },
  );
}

const secretsLeft = async () => {
  const { rows } = await db.owner.query<{ minutes: number | null; previous: boolean }>(
    `select round(extract(epoch from previous_secret_until - updated_at) / 60)::integer as minutes, previous_secret is not null as previous
      from merchants where id = $1`,
    [merchant.id],
  );
  return rows[0];
};

describe("a reset of the credentials", () => {
  test.each([
    ["hour", 60],
    ["day", 1440],
    ["week", 10_080],
  ] as const)("answers a new secret; the old one signs for one %s more, and no longer", async (life, minutes) => {
    const { row, secret } = await reset(life);
    expect(row).toMatchObject({ uuid: merchant.id, version: 2, api_key: merchant.apiKey });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(merchant.secret);
    expect([await signs(secret), await signs(merchant.secret)]).toEqual([true, true]);
    expect(await secretsLeft()).toEqual({ minutes, previous: true });
    await db.owner.query("update merchants set previous_secret_until = now() where id = $1", [merchant.id]);
    expect([await signs(secret), await signs(merchant.secret)]).toEqual([true, false]);
  });

  test("with the old secret to end now leaves no other", async () => {
    const { secret } = await reset("now");
    expect([await signs(secret), await signs(merchant.secret)]).toEqual([true, false]);
    expect(await secretsLeft()).toEqual({ minutes: null, previous: false });
  });

  test("keeps the last two only", async () => {
    const first = await reset("week");
    const second = await reset("week", 2);
    expect([await signs(second.secret), await signs(first.secret), await signs(merchant.secret)]).toEqual([true, true, false]);
  });

  test("of a merchant another has changed meanwhile is refused, and the secret stays", async () => {
    await reset("day");
    const { secret } = await reset("day", 2);
    await expect(reset("now", 1)).rejects.toMatchObject({ code: "record.stale", detail: { by: "Ann Lim" } });
    expect(await signs(secret)).toBe(true);
  });

  test("asked again because its answer was lost, answers the same secret and resets once", async () => {
    const key = "reset-key-0001";
    const first = await reset("day", 1, office.call(office.ann, { key }));
    expect(await reset("day", 1, office.call(office.ann, { key }))).toEqual(first);
    expect([await signs(first.secret), await signs(merchant.secret)]).toEqual([true, true]);
  });

  test("is on record without any secret, and what is stored with its key has none that can be read", async () => {
    const { secret } = await reset("week", 1, office.call(office.ann, { key: "reset-key-0002" }));
    const { rows: audited } = await db.owner.query("select * from audit_entries where entity_id = $1", [merchant.id]);
    expect(audited).toMatchObject([
      { act: "merchant.reset-credentials", actor_name: "Ann Lim", before: null, after: { old_secret: "week" } },
    ]);
    const { rows: kept } = await db.owner.query<{ packed: Buffer }>("select packed from idempotency_keys where key = 'reset-key-0002'");
    const stored = [...kept.map(({ packed }) => brotliDecompressSync(packed).toString("utf8")), JSON.stringify(audited)].join("\n");
    expect(stored).toContain(merchant.id);
    for (const one of [secret, merchant.secret]) {
      expect(stored).not.toContain(one.replace("whsec_", ""));
      expect(stored).not.toContain(Buffer.from(one).toString("base64").slice(0, 40));
    }
  });

  test("asks again who one is, and stands under its own right", () => {
    expect(tenantMerchantRoutes.resetMerchantCredentials).toMatchObject({
      stepUp: true,
      permission: "pas.merchant.merchants.reset-credentials",
    });
  });
});

describe("the keys of a merchant", () => {
  const keys = async () => {
    const { keys: used, row } = await detail();
    return { ...used, old_secret_until: row.old_secret_until };
  };
  const detail = async (call: StaffCall = office.call()) =>
    (await act.readMerchant(call, { params: { uuid: merchant.id }, query: undefined, body: undefined })).data;
  const revoke = (version: number) =>
    act.revokeOldMerchantSecret(office.call(), { params: { uuid: merchant.id }, query: undefined, body: { version } });

  test("tell when requests were last signed with each of them, and with a new one not before it is used", async () => {
    expect(await keys()).toEqual({ secret_used_at: null, old_secret_until: null, old_secret_used_at: null });
    await signs(merchant.secret);
    const { secret_used_at: used_at } = await keys();
    expect(Date.now() - Date.parse(used_at ?? "")).toBeLessThan(60_000);
    const { secret } = await reset("day");
    expect(await keys()).toMatchObject({ secret_used_at: null, old_secret_until: expect.any(String), old_secret_used_at: used_at });
    await signs(secret);
    expect(await keys()).toMatchObject({ secret_used_at: expect.any(String), old_secret_used_at: used_at });
    await db.owner.query("update merchants set previous_secret_used_at = now() - interval '2 hours' where id = $1", [merchant.id]);
    await signs(merchant.secret);
    expect(Date.now() - Date.parse((await keys()).old_secret_used_at ?? "")).toBeLessThan(60_000);
    await signs("whsec_none");
    await db.owner.query("update merchants set previous_secret_until = now() where id = $1", [merchant.id]);
    expect(await keys()).toMatchObject({ old_secret_until: null, old_secret_used_at: null });
  });

  test("are noted once a minute, and by no request that would have to wait for it", async () => {
    await signs(merchant.secret);
    const noted = async () => (await db.owner.query("select secret_used_at, xmin from merchants where id = $1", [merchant.id])).rows;
    const first = await noted();
    await signs(merchant.secret);
    expect(await noted()).toEqual(first);
    await db.owner.query("update merchants set secret_used_at = null where id = $1", [merchant.id]);
    await db.owner.query("begin");
    await db.owner.query("select from merchants where id = $1 for no key update", [merchant.id]);
    expect(await signs(merchant.secret)).toBe(true);
    await db.owner.query("rollback");
    expect((await keys()).secret_used_at).toBeNull();
  });

  test("let the old one end now, while the new one goes on", async () => {
    const { secret } = await reset("week");
    expect((await revoke(2)).data.row.version).toBe(3);
    expect([await signs(secret), await signs(merchant.secret)]).toEqual([true, false]);
    expect((await keys()).old_secret_until).toBeNull();
    expect((await detail()).history[0]).toMatchObject({ act: "merchant.revoke-old-secret", by: "Ann Lim" });
    await expect(revoke(2)).rejects.toMatchObject({ code: "record.stale" });
  });

  const view = (call: StaffCall) =>
    act.viewMerchantSecret(call, { params: { uuid: merchant.id }, query: undefined, body: undefined }).then(({ data }) => data.secret);

  test("are shown to whoever has the right and proves who they are; each time is on record, and none is stored in the clear", async () => {
    expect(tenantMerchantRoutes.viewMerchantSecret).toMatchObject({ stepUp: true, permission: "pas.merchant.merchants.view-secret" });
    const call = office.call(office.ann, { key: "view-key-0001" });
    expect([await view(call), await view(office.call())]).toEqual([merchant.secret, merchant.secret]);
    const { rows } = await db.owner.query("select act, actor_name, before, after from audit_entries where entity_id = $1", [merchant.id]);
    const viewed = { act: "merchant.view-secret", actor_name: "Ann Lim", before: null, after: null };
    expect(rows).toEqual([viewed, viewed]);
    const { rows: kept } = await db.owner.query<{ packed: Buffer }>("select packed from idempotency_keys where key = 'view-key-0001'");
    const stored = kept.map(({ packed }) => brotliDecompressSync(packed).toString("utf8")).join("");
    expect(stored).toContain("sealed");
    expect(stored).not.toContain(merchant.secret.replace("whsec_", ""));
    const other = await makeOffice(db);
    await expect(view(other.call())).rejects.toMatchObject({ code: "not-found" });
  });
});
