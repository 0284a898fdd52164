import { beforeEach, describe, expect, test } from "vitest";
import type { MerchantProviderForm } from "../../../src/contract/merchant-providers.ts";
import { merchantProviderRoutes as routes } from "../../../src/contract/merchant-providers.ts";
import { masterAccountHandlers } from "../../../src/server/game-provider/master-accounts.ts";
import { merchantProviderHandlers as handlers } from "../../../src/server/game-provider/merchant-providers.ts";
import { noSuchRecord } from "../../../src/server/records/links.ts";
import { providerCredentialPlace } from "../../../src/server/secrets/secrets.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMerchant } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { makeGame, makeProvider } from "../../support/game-provider.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let [shop, rival]: Merchant[] = [];
beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
  shop = await makeMerchant(db, office.tenant, { name: "Night Market" });
  rival = await makeMerchant(db, office.tenant, { name: "Day Market" });
});
const idOf = (one: Merchant | undefined) => one?.id ?? "";

const form = (more: Partial<MerchantProviderForm> = {}): MerchantProviderForm => ({
  name: "Lotus Gaming",
  is_prod: true,
  platform_type: "web",
  pt: "12.5",
  master_account: null,
  website_url: "https://play.example",
  backoffice_url: "",
  callback_url: "",
  deep_link: "lotus://open",
  download_url: "",
  whitelist_ips: "203.0.113.7, 198.51.100.0/24",
  api_credential: '{"key":"k-9"}',
  account_credentials: "",
  ...more,
});
const create = async (more: Partial<MerchantProviderForm> = {}, merchant = idOf(shop)) =>
  (await handlers.createMerchantProvider(office.call(), { params: { merchantUuid: merchant }, query: undefined, body: form(more) })).data;
const list = async (merchant: string) =>
  (
    await handlers.listMerchantProviders(office.call(), {
      params: { merchantUuid: merchant },
      query: { direction: "next", limit: 100 },
      body: undefined,
    })
  ).data.map(({ name }) => name);

describe("a merchant's set-up at a provider", () => {
  test("keeps every field of the specification, and of its credentials only that there are any", async () => {
    const { uuid } = await create();
    const { data } = await handlers.readMerchantProvider(office.call(), { params: { uuid }, query: undefined, body: undefined });
    expect(data.row).toMatchObject({
      name: "Lotus Gaming",
      merchant: { uuid: idOf(shop), name: "Night Market" },
      environment: "production",
      is_prod: true,
      pt: "12.50",
      website_url: "https://play.example",
      deep_link: "lotus://open",
      callback_url: null,
      whitelist_ips: "203.0.113.7, 198.51.100.0/24",
      has_api_credential: true,
      has_account_credentials: false,
      games: 0,
    });
    expect(JSON.stringify(data)).not.toContain("k-9");
  });

  test("names the house's account it draws on, of its currency, which cannot be deleted while anything does", async () => {
    const account = await makeMasterAccount(db, office.tenant, { code: "LOTUS-1", name: "Lotus Slots" });
    const { uuid } = await create({ master_account: account });
    const { data } = await handlers.readMerchantProvider(office.call(), { params: { uuid }, query: undefined, body: undefined });
    expect(data.row.master_account).toEqual({ uuid: account, name: "Lotus Slots", code: "LOTUS-1" });
    const read = () =>
      masterAccountHandlers.readMasterAccount(office.call(), { params: { uuid: account }, query: undefined, body: undefined });
    expect((await read()).data).toMatchObject({
      dependent_count: 1,
      dependents: [{ uuid, name: "Lotus Gaming", merchant: { name: "Night Market" }, environment: "production", status: "active" }],
    });
    const remove = { params: { uuid: account }, query: { version: 1 }, body: undefined };
    await expect(masterAccountHandlers.deleteMasterAccount(office.call(), remove)).rejects.toMatchObject({
      code: "record.in-use",
      detail: { providers: 1 },
    });
    const elsewhere = await makeMasterAccount(db, office.tenant, { currency: "THB" });
    await expect(create({ name: "Another", master_account: elsewhere })).rejects.toMatchObject({
      detail: { master_account: [noSuchRecord] },
    });
    const { version } = data.row;
    await handlers.updateMerchantProvider(office.call(), {
      params: { uuid },
      query: undefined,
      body: { ...form({ api_credential: "" }), version },
    });
    expect((await read()).data.dependent_count).toBe(0);
    await masterAccountHandlers.deleteMasterAccount(office.call(), remove);
  });

  test("seals its credential in a column that holds no word of it, and the audit log has none either", async () => {
    const { uuid } = await create();
    const { rows } = await db.owner.query<{ api_credential: Buffer }>("select api_credential from merchant_providers where id = $1", [
      uuid,
    ]);
    const sealed = rows[0]?.api_credential ?? Buffer.alloc(0);
    expect(sealed.toString("latin1")).not.toContain("k-9");
    expect(office.deps.secrets.open(sealed, providerCredentialPlace("api_credential")(office.tenant.id, uuid))).toBe('{"key":"k-9"}');
    const entries = await db.owner.query("select before, after from audit_entries where entity_id = $1", [uuid]);
    expect(JSON.stringify(entries.rows)).not.toContain("k-9");
  });

  test("is answered to whoever asks for the credential with the right, and that is audited", async () => {
    const { uuid } = await create();
    const view = async (which: "api_credential" | "account_credentials") =>
      (await handlers.viewMerchantProviderCredential(office.call(), { params: { uuid }, query: undefined, body: { which } })).data
        .credential;
    expect(await view("api_credential")).toBe('{"key":"k-9"}');
    expect(await view("account_credentials")).toBe(null);
    const { rows } = await db.owner.query(
      "select after from audit_entries where entity_id = $1 and act = 'merchant-provider.view-credentials' order by id",
      [uuid],
    );
    expect(rows).toEqual([{ after: { which: "api_credential" } }, { after: { which: "account_credentials" } }]);
    expect(routes.viewMerchantProviderCredential).toMatchObject({
      stepUp: true,
      permission: "gps.provider.merchant-providers.view-credentials",
    });
  });

  test("keeps the credential when it is left empty in a change", async () => {
    const { uuid } = await create({ callback_url: "" });
    const changed = await handlers.updateMerchantProvider(office.call(), {
      params: { uuid },
      query: undefined,
      body: { ...form({ api_credential: "", pt: "20" }), version: 1 },
    });
    expect(changed.data).toMatchObject({ version: 2, pt: "20.00", has_api_credential: true });
  });

  test.each([
    ["callback_url", { callback_url: "https://10.0.0.1/cb" }, "Must be a public address"],
    ["whitelist_ips", { whitelist_ips: "203.0.113.999" }, "203.0.113.999 is not an IP address or network"],
  ])("refuses a wrong %s", async (field, more, line) => {
    await expect(create(more)).rejects.toMatchObject({ code: "request.invalid", detail: { [field]: [line] } });
  });

  test.each([
    ["api_credential", "{key: 1}", "Must be valid JSON"],
    ["account_credentials", "sk_live_1", "Must be valid JSON"],
    ["deep_link", "javascript:alert(1)", "Must be a URL"],
    ["deep_link", "not one", "Must be a URL"],
    ["pt", "101", "Must be a percent from 0 to 100 with at most 4 decimals"],
  ])("the contract refuses %s %s", (field, value, line) => {
    const { error } = routes.createMerchantProvider.body.safeParse({ ...form(), [field]: value });
    expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([[field, line]]);
  });

  test("stands once by its name in production and once in test", async () => {
    await create();
    await create({ is_prod: false });
    await expect(create({ name: "LOTUS gaming" })).rejects.toMatchObject({ detail: { name: ["Already taken by this merchant"] } });
    expect(await list(idOf(shop))).toEqual(["Lotus Gaming", "Lotus Gaming"]);
    expect(await list(idOf(rival))).toEqual([]);
  });

  test("belongs to a merchant of the currency asked for: another currency's is not found", async () => {
    const other = await makeMerchant(db, office.tenant, { currency: "THB" });
    await expect(create({}, other.id)).rejects.toMatchObject({ code: "not-found" });
    await expect(list(other.id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("is deleted with its games", async () => {
    const { uuid } = await create();
    await makeGame(db, office.tenant, uuid);
    await handlers.deleteMerchantProvider(office.call(), { params: { uuid }, query: { version: 1 }, body: undefined });
    expect((await db.owner.query("select from provider_games where merchant_provider_id = $1", [uuid])).rowCount).toBe(0);
  });
});

describe("a set-up copied to another merchant", () => {
  const copy = (uuid: string, to: string, games = true) =>
    handlers.copyMerchantProvider(office.call(), {
      params: { uuid },
      query: undefined,
      body: { version: 1, to_merchant: to, copy_games: games },
    });

  test("is inactive, in test, has the games and no credential", async () => {
    const { uuid } = await create();
    await makeGame(db, office.tenant, uuid, { code: "dragon" });
    const { data } = await copy(uuid, idOf(rival));
    expect(data.uuid).toBe(uuid);
    const made = await handlers.readMerchantProvider(office.call(), { params: { uuid: data.copy }, query: undefined, body: undefined });
    expect(made.data.row).toMatchObject({
      name: "Lotus Gaming",
      merchant: { uuid: idOf(rival) },
      status: "inactive",
      environment: "test",
      has_api_credential: false,
      has_account_credentials: false,
      deep_link: "lotus://open",
      games: 1,
    });
    expect(made.data.history.map(({ act }) => act)).toEqual(["merchant-provider.create"]);
  });

  test("goes to nobody who is not there, and not twice to the same", async () => {
    const uuid = await makeProvider(db, office.tenant, { id: idOf(shop) });
    const line = { code: "request.invalid", detail: { to_merchant: ["Names a record that does not exist"] } };
    await expect(copy(uuid, office.tenant.id)).rejects.toMatchObject(line);
    await copy(uuid, idOf(rival), false);
    const again = copyAgain(uuid);
    await expect(again).rejects.toMatchObject({ detail: { to_merchant: ["Already taken by this merchant"] } });
  });
  const copyAgain = (uuid: string) =>
    handlers.copyMerchantProvider(office.call(), {
      params: { uuid },
      query: undefined,
      body: { version: 2, to_merchant: idOf(rival), copy_games: false },
    });
});

test("merchants are seen from the providers' side: who has what, in production or in test", async () => {
  await create();
  await create({ name: "Lotus Gaming", is_prod: false });
  await create({ name: "Andaman Live", is_prod: false }, idOf(rival));
  const { data } = await handlers.listGameMerchants(office.call(), {
    params: undefined,
    query: { direction: "next", limit: 100, sort: ["name"] },
    body: undefined,
  });
  expect(data.map(({ name, environment, production, test: inTest }) => [name, environment, production, inTest])).toEqual([
    ["Day Market", "test", [], ["Andaman Live"]],
    ["Night Market", "production", ["Lotus Gaming"], ["Lotus Gaming"]],
  ]);
  const only = await handlers.listGameMerchants(office.call(), {
    params: undefined,
    query: { direction: "next", limit: 100, "filter[environment]": ["production"] },
    body: undefined,
  });
  expect(only.data.map(({ name }) => name)).toEqual(["Night Market"]);
});
