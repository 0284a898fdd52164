import { randomUUID } from "node:crypto";
import type { GameImport } from "../../src/contract/game-imports.ts";
import type { StaffCall } from "../../src/server/call.ts";
import { gameImportHandlers } from "../../src/server/game-provider/game-imports.ts";
import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

type Columns = Readonly<Record<string, unknown>>;

/** Inserted as the owner. */
async function insert({ owner }: TestDatabase, table: string, values: Columns): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into ${table} (${Object.keys(values).join(", ")}) values (${Object.keys(values).map((_, at) => `$${at + 1}`)}) returning id`,
    Object.values(values),
  );
  return rows[0]?.id ?? "";
}

/** A merchant's set-up at a provider, under a name of its own. */
export const makeProvider = (
  db: TestDatabase,
  tenant: Pick<Tenant, "id">,
  merchant: { readonly id: string },
  columns: Columns = {},
): Promise<string> =>
  insert(db, "merchant_providers", {
    tenant_id: tenant.id,
    currency: "MYR",
    merchant_id: merchant.id,
    name: `Provider ${randomUUID()}`,
    ...columns,
  });

/** A game under a code of its own. */
export const makeGame = (db: TestDatabase, tenant: Pick<Tenant, "id">, provider: string, columns: Columns = {}): Promise<string> =>
  insert(db, "provider_games", {
    tenant_id: tenant.id,
    currency: "MYR",
    merchant_provider_id: provider,
    code: randomUUID(),
    name: `Game ${randomUUID()}`,
    type: "slot",
    ...columns,
  });

/** Lines of games as pasted, staged for a provider. */
export async function stageGames(call: StaffCall, provider: string, text: string): Promise<GameImport> {
  const bytes = Buffer.from(text);
  const file = { name: "games.csv", bytes, sha256: randomUUID() };
  const received = { params: { merchantProviderUuid: provider }, query: { source: "paste" as const }, body: undefined, file };
  return (await gameImportHandlers.uploadGames(call, received)).data;
}
