import { sql } from "kysely";
import type { BankRule, BankRuleList } from "../../contract/bank-transactions.ts";
import { ignoredAs } from "../../contract/bank-transactions.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import { record, systemActor } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";
import type { LineScope } from "./add-lines.ts";
import { findLines, lineView } from "./line-rows.ts";

interface StoredRules {
  readonly version: number;
  readonly rules: BankRule[];
  readonly by: string | null;
  readonly updated_at: Date;
}

async function storedRules(db: Scoped, { tenant, currency }: LineScope, lock: boolean): Promise<StoredRules | undefined> {
  const { rows } = await sql<StoredRules>`select r.version, r.rules, u.name as by, r.updated_at
    from bank_rules r left join users u on u.id = r.by_user
    where r.tenant_id = ${tenant} and r.currency = ${currency} ${lock ? sql`for no key update of r` : sql``}`.execute(db);
  return rows[0];
}

const view = (stored: StoredRules | undefined): BankRuleList => ({
  version: stored?.version ?? 0,
  rules: stored?.rules ?? [],
  by: stored?.by ?? null,
  updated_at: stored?.updated_at.toISOString() ?? null,
});

export const readRules = async (db: Scoped, scope: LineScope): Promise<BankRuleList> => view(await storedRules(db, scope, false));

/** Saves all rules of the currency in their order. They take what arrives from now on, and what is unmatched when they are applied. */
export async function saveRules(
  db: Scoped,
  scope: LineScope,
  actor: Actor,
  { version, rules }: { readonly version: number; readonly rules: readonly BankRule[] },
): Promise<BankRuleList> {
  const before = await storedRules(db, scope, true);
  if ((before?.version ?? 0) !== version) throw lostRules(before);
  const by = actor.kind === "user" ? actor.id : null;
  const written = await sql`insert into bank_rules (tenant_id, currency, rules, by_user)
      values (${scope.tenant}, ${scope.currency}, ${JSON.stringify(rules)}::jsonb, ${by}::uuid)
    on conflict (tenant_id, currency) do update
      set rules = excluded.rules, by_user = excluded.by_user, version = bank_rules.version + 1, updated_at = clock_timestamp()
      where bank_rules.version = ${version}`.execute(db);
  // another first saving was faster
  if (written.numAffectedRows === 0n) throw lostRules(await storedRules(db, scope, false));
  await record(db, scope.tenant, actor, {
    act: "bank-line.rules",
    entity: "bank-line",
    entityId: null,
    before: { currency: scope.currency, rules: before?.rules ?? [] },
    after: { currency: scope.currency, rules },
  });
  return readRules(db, scope);
}

const lostRules = (now: StoredRules | undefined) =>
  new Refusal("record.stale", { by: now?.by ?? "", at: now?.updated_at.toISOString() ?? new Date(0).toISOString(), row: view(now) });

/** Lines a trial shows of each rule. */
const shown = 50;

/** What each rule would take of the lines unmatched now, with the newest of them. */
export async function tryRules(db: Scoped, scope: LineScope, rules: readonly BankRule[]) {
  const { rows } = await sql<{ n: number; count: number; amount: string; lines: string[] }>`select r.n, count(*)::integer as count,
      sum(l.amount)::text as amount, (array_agg(l.id order by l.time desc, l.id))[1:${sql.lit(shown)}] as lines
    from bank_rules_take(${scope.tenant}, ${scope.currency}, ${JSON.stringify(rules)}::jsonb, null) r
    join bank_lines l on l.tenant_id = ${scope.tenant} and l.id = r.line_id group by r.n`.execute(db);
  const found = new Map(
    (
      await findLines(
        db,
        scope,
        rows.flatMap(({ lines }) => lines),
      )
    ).map((line) => [line.id, lineView(line)]),
  );
  return rules.map((_, at) => {
    const taken = rows.find(({ n }) => n === at);
    return {
      count: taken?.count ?? 0,
      amount: amountText(taken?.amount ?? "0"),
      lines: (taken?.lines ?? []).flatMap((id) => found.get(id) ?? []),
    };
  });
}

/** Ignores the unmatched lines that the saved rules take: these, or all. Lines somebody is just changing are left. Answers their ids. */
export async function applyRules(
  db: Scoped,
  scope: LineScope,
  lines: readonly string[] | null,
  actor: Actor = systemActor,
): Promise<string[]> {
  const stored = await storedRules(db, scope, false);
  if (!stored || stored.rules.length === 0) return [];
  const texts = stored.rules.map(({ contains, from }) => [contains, from].filter(Boolean).join(" · "));
  const { rows } = await sql<{ id: string; ignored_as: (typeof ignoredAs)[number]; ignore_reason: string }>`with taken as (
      select r.line_id, r.n, r.ignore_as
      from bank_rules_take(${scope.tenant}, ${scope.currency}, ${JSON.stringify(stored.rules)}::jsonb, ${lines}::uuid[]) r),
    free as (select l.id from bank_lines l where l.tenant_id = ${scope.tenant} and l.status = 'unmatched'
        and l.id in (select line_id from taken) order by l.id for no key update skip locked)
    update bank_lines l set status = 'ignored', ignored_as = t.ignore_as, ignore_reason = (${texts}::text[])[t.n + 1],
      version = l.version + 1, updated_at = clock_timestamp()
    from taken t join free f on f.id = t.line_id
    where l.tenant_id = ${scope.tenant} and l.id = t.line_id
    returning l.id, l.ignored_as, l.ignore_reason`.execute(db);
  if (rows.length === 0) return [];
  await sql`insert into audit_entries (tenant_id, actor_kind, actor_id, actor_name, act, entity, entity_id, before, after, reason, ip, request_id)
    select ${scope.tenant}, ${actor.kind}, ${actor.id}::uuid, ${actor.name}, 'bank-line.ignore', 'bank-line', r.id,
      '{"status": "unmatched"}', jsonb_build_object('status', 'ignored', 'ignored_as', r.ignored_as, 'by_rule', true), r.ignore_reason,
      ${actor.ip}, ${actor.requestId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (id uuid, ignored_as text, ignore_reason text)`.execute(db);
  return rows.map(({ id }) => id);
}
