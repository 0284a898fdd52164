import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { merchantBase } from "../../../src/contract/merchant-api.ts";
import { signRequest } from "../../../src/server/merchant-api/sign.ts";
import { testDatabase } from "../../support/database.ts";
import { inMinutes, makeDowntime } from "../../support/downtimes.ts";
import { makeGame, makeProvider } from "../../support/game-provider.ts";
import { makeMasterAccount } from "../../support/master-accounts.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let app: FastifyInstance;
let office: Office;
let logged: string;
beforeAll(async () => {
  office = await makeOffice(db);
  logged = "";
  const logger = pino({ level: "error" }, { write: (line: string) => void (logged += line) });
  app = await buildApp(office.deps, { logger, consoleFolder: null });
});
afterAll(() => app.close());

async function get(as: SigningMerchant, path: string) {
  const url = `${merchantBase}${path}`;
  const headers = signRequest(as, { method: "GET", path: url, idempotencyKey: crypto.randomUUID(), body: "" }, new Date());
  const answer = await app.inject({ method: "GET", url, headers });
  return { status: answer.statusCode, wait: answer.headers["retry-after"], ...answer.json<{ code?: string; data: never }>() };
}
const merchantOf = () => makeSigningMerchant(db, office.deps, office.tenant);
const down = (of: Parameters<typeof makeDowntime>[3], ends: string) => makeDowntime(db, office.tenant, office.ann, of, { ends_at: ends });

test("a merchant reads its own set-ups and their games, by name and by code", async () => {
  const [merchant, rival] = [await merchantOf(), await merchantOf()];
  const provider = await makeProvider(db, office.tenant, merchant, { name: "Naga", is_prod: true });
  await makeProvider(db, office.tenant, merchant, { name: "Lotus", status: "inactive" });
  const other = await makeProvider(db, office.tenant, rival);
  for (const code of ["b", "A", "c"]) await makeGame(db, office.tenant, provider, { code, name: `Game ${code}` });
  expect((await get(merchant, "/providers")).data).toMatchObject([
    { name: "Lotus", state: "closed", environment: "test", games: 0 },
    { uuid: provider, name: "Naga", state: "open", maintenance_until: null, environment: "production", games: 3 },
  ]);
  const codes = async (query: string) =>
    ((await get(merchant, `/providers/${provider}/games${query}`)).data as { code: string }[]).map(({ code }) => code);
  expect([await codes(""), await codes("?limit=2"), await codes("?limit=2&after=b")]).toEqual([["A", "b", "c"], ["A", "b"], ["c"]]);
  expect(await get(merchant, `/providers/${other}/games`)).toMatchObject({ status: 404, code: "not-found" });
});

test("a provider that is down is refused, and says until when; one game that is down is told in its list", async () => {
  const merchant = await merchantOf();
  const account = await makeMasterAccount(db, office.tenant);
  const provider = await makeProvider(db, office.tenant, merchant, { name: "Naga", master_account_id: account });
  const game = await makeGame(db, office.tenant, provider, { code: "golden" });
  const until = inMinutes(30);
  await down({ provider_game_id: game }, until);
  expect((await get(merchant, `/providers/${provider}/games`)).data).toMatchObject([{ state: "maintenance", maintenance_until: until }]);
  expect((await get(merchant, "/providers")).data).toMatchObject([{ state: "open" }]);

  const later = inMinutes(90);
  await down({ master_account_id: account }, later);
  expect((await get(merchant, "/providers")).data).toMatchObject([{ state: "maintenance", maintenance_until: later }]);
  const refused = await get(merchant, `/providers/${provider}/games`);
  expect(refused).toMatchObject({ status: 503, code: "provider.maintenance", data: { name: "Naga", until: later } });
  expect(Number(refused.wait)).toBeGreaterThan(60 * 60);
  expect(logged).toBe("");

  await db.owner.query("update merchant_providers set status = 'inactive' where id = $1", [provider]);
  expect(await get(merchant, `/providers/${provider}/games`)).toMatchObject({ status: 403, code: "provider.inactive" });
});
