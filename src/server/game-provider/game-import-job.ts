import { sql } from "kysely";
import { z } from "zod";
import { Uuid } from "../../contract/wire.ts";
import type { Actor } from "../audit/record.ts";
import { recordMany } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { defineJob } from "../jobs/kind.ts";
import type { JobRun } from "../jobs/kind.ts";
import { settingsOf } from "../settings/settings.ts";
import type { GameLine } from "./game-lines.ts";
import { fetchImage } from "./images.ts";

/** Games written in one transaction, and pictures fetched at a time. */
const slice = 500;
const atOnce = 6;

/** `mayChange`: whoever started it may change games, too; one that came since is left as it is otherwise. */
interface Payload {
  import: string;
  mayChange: boolean;
}

/** Writes the games of an import, then fetches their pictures. What an earlier attempt has written says so itself and is passed over. */
export const gameImportJob = defineJob<Payload>({
  name: "game-import",
  // one of an earlier release asked for the right whenever it changed a game
  payload: z.strictObject({ import: Uuid, mayChange: z.boolean().default(true) }),
  attempts: 3,
  atOnce: 1,
  perTenant: 1,
  minutes: 120,
  work: writeGames,
});

interface Facts {
  readonly currency: string;
  readonly provider: string;
  readonly actor: Actor;
  readonly loopback: boolean;
  readonly lines: number;
  readonly pictures: number;
}

async function factsOf(db: Scoped, { tenant, payload, deps }: JobRun<Payload>): Promise<Facts | null> {
  const { rows } = await sql<{
    currency: string;
    provider: string;
    by_user: string;
    by_name: string;
    lines: number;
    pictures: number;
  }>`select i.currency, i.merchant_provider_id as provider, u.id as by_user, u.name as by_name,
      (select count(*)::integer from game_import_lines l where l.tenant_id = i.tenant_id and l.import_id = i.id and l.fault is null) as lines,
      (select count(*)::integer from game_import_lines l where l.tenant_id = i.tenant_id and l.import_id = i.id and l.fault is null
        and l.line->>'image' <> '') as pictures
    from game_imports i join jobs j on j.tenant_id = i.tenant_id and j.id = i.id join users u on u.id = coalesce(j.started_by, i.by_user) where i.tenant_id = ${tenant} and i.id = ${payload.import}`.execute(
    db,
  );
  const row = rows[0];
  if (!row) return null;
  return {
    ...row,
    actor: { kind: "user", id: row.by_user, name: row.by_name, ip: null, requestId: null },
    loopback: isDevelopment(deps.config) && (await settingsOf(db, tenant)).loopback_callbacks,
  };
}

async function writeGames(run: JobRun<Payload>): Promise<void> {
  const { deps, tenant } = run;
  const facts = await inTenant(deps.database, tenant, (db) => factsOf(db, run));
  // its provider is gone, and the import with it
  if (facts === null) return;
  const total = facts.lines + facts.pictures;
  let done = await inTenant(deps.database, tenant, (db) => written(db, run));
  for (let more = true; more;) {
    // oxlint-disable-next-line no-await-in-loop -- a slice after the other
    await run.progress(done, total);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const count = await inTenant(deps.database, tenant, (db) => writeSlice(db, run, facts));
    done += count;
    more = count > 0;
  }
  await fetchPictures(run, facts, (fetched) => run.progress(facts.lines + fetched, total));
  await run.progress(total, total);
}

async function written(db: Scoped, { tenant, payload }: JobRun<Payload>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from game_import_lines
    where tenant_id = ${tenant} and import_id = ${payload.import} and outcome is not null`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Writes the next lines, each game with its audit entry and what became of its line, in one transaction. */
async function writeSlice(db: Scoped, { tenant, payload }: JobRun<Payload>, { currency, provider, actor }: Facts): Promise<number> {
  const { rows: lines } = await sql<{ n: number; line: GameLine; code_key: string }>`select n, line, code_key from game_import_lines
    where tenant_id = ${tenant} and import_id = ${payload.import} and outcome is null and fault is null
    order by n limit ${slice} for no key update`.execute(db);
  if (lines.length === 0) return 0;
  const given = JSON.stringify(lines.map(({ n, line: { code, name, type } }) => ({ n, code, name, type })));
  const codes = lines.map(({ code_key }) => code_key);
  const change = sql`do update set name = excluded.name, type = excluded.type, version = g.version + 1, updated_at = clock_timestamp()
    where (g.name, g.type) is distinct from (excluded.name, excluded.type)`;
  const { rows: before } = await sql<{ code_key: string; name: string; type: string }>`select code_key, name, type from provider_games
    where tenant_id = ${tenant} and merchant_provider_id = ${provider} and code_key = any(${codes}::text[]) for no key update`.execute(db);
  const { rows: now } = await sql<{ n: number; id: string; is_new: boolean }>`with l as (
      select * from jsonb_to_recordset(${given}::jsonb) l (n integer, code text, name text, type text)
    ), w as (
      insert into provider_games as g (tenant_id, currency, merchant_provider_id, code, name, type)
        select ${tenant}, ${currency}, ${provider}, l.code, l.name, l.type from l order by l.n
      on conflict (tenant_id, merchant_provider_id, code_key) ${payload.mayChange ? change : sql`do nothing`}
      returning g.id, g.code_key, g.version = 1 as is_new
    ) select l.n, w.id, w.is_new from w join l on lower(l.code) collate "C" = w.code_key`.execute(db);
  const was = new Map(before.map((row) => [row.code_key, row]));
  const became = new Map(lines.map(({ n }) => [n, "same"]));
  const lineOf = new Map(lines.map(({ n, ...line }) => [n, line]));
  const facts = now
    .toSorted((a, b) => a.n - b.n)
    .map(({ n, id, is_new }) => {
      const { line, code_key = "" } = lineOf.get(n) ?? {};
      const old = was.get(code_key);
      became.set(n, is_new ? "added" : "changed");
      return {
        act: is_new ? "provider-game.create" : "provider-game.update",
        entity: "provider-game",
        entityId: id,
        ...(old && !is_new && { before: { name: old.name, type: old.type } }),
        after: { code: line?.code, name: line?.name, type: line?.type },
      };
    });
  await recordMany(db, tenant, actor, facts);
  const outcomes = JSON.stringify([...became].map(([n, outcome]) => ({ n, outcome })));
  await sql`update game_import_lines t set outcome = o.outcome from jsonb_to_recordset(${outcomes}::jsonb) o (n integer, outcome text)
    where t.tenant_id = ${tenant} and t.import_id = ${payload.import} and t.n = o.n`.execute(db);
  return lines.length;
}

interface Wanted {
  readonly n: number;
  readonly id: string;
  readonly url: string;
}

/** Pictures that are not there yet from the address their line names. */
async function wantedPictures(db: Scoped, { tenant, payload }: JobRun<Payload>, { provider }: Facts): Promise<Wanted[]> {
  const lines = await sql<{ n: number; code_key: string; url: string }>`select n, code_key, line->>'image' as url from game_import_lines
    where tenant_id = ${tenant} and import_id = ${payload.import} and fault is null and image_fault is null and line->>'image' <> ''
    order by n`.execute(db);
  const games = await sql<{ id: string; code_key: string; source: string | null }>`select id, code_key,
      case when image is not null then image_source end as source from provider_games
    where tenant_id = ${tenant} and merchant_provider_id = ${provider}`.execute(db);
  // joined here, because the database knows nothing yet of how many games were just written, and would go through all for each line
  const known = new Map(games.rows.map((game) => [game.code_key, game]));
  return lines.rows.flatMap(({ n, code_key, url }) => {
    const game = known.get(code_key);
    return game === undefined || game.source === url ? [] : [{ n, id: game.id, url }];
  });
}

/** A picture that cannot be had is told at its line; the game stays without. */
async function fetchPictures(run: JobRun<Payload>, facts: Facts, told: (fetched: number) => Promise<void>): Promise<void> {
  const { deps, tenant, signal } = run;
  const wanted = await inTenant(deps.database, tenant, (db) => wantedPictures(db, run, facts));
  let fetched = facts.pictures - wanted.length;
  const queue = wanted.values();
  const fetcher = async () => {
    for (const one of queue) {
      // oxlint-disable-next-line no-await-in-loop -- each fetcher fetches one after the other
      await fetchOne(run, facts, one);
      signal.throwIfAborted();
      fetched++;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await told(fetched);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, fetcher));
}

async function fetchOne(run: JobRun<Payload>, { loopback, actor }: Facts, { n, id, url }: Wanted): Promise<void> {
  const { deps, tenant, payload, signal } = run;
  const { image, fault } = await fetchImage(deps, tenant, url, loopback, signal);
  signal.throwIfAborted();
  await inTenant(deps.database, tenant, async (db) => {
    if (image === null) {
      await sql`update game_import_lines set image_fault = ${`${fault.code} ${fault.why}`.trim()}
        where tenant_id = ${tenant} and import_id = ${payload.import} and n = ${n}`.execute(db);
      return;
    }
    const written = await sql`update provider_games set image = ${Buffer.from(image, "hex")}, image_source = ${url},
      version = version + 1, updated_at = clock_timestamp() where tenant_id = ${tenant} and id = ${id}`.execute(db);
    if (written.numAffectedRows === 0n) return;
    await audit(db, { tenant, entity: "provider-game", id }, actor, "update", { after: { image: image.slice(0, 12) } });
  });
}
