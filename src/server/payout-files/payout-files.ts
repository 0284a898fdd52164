import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { payoutFileRoutes } from "../../contract/payout-files.ts";
import { Refusal } from "../../contract/problems.ts";
import { money, moneyText } from "../../values/money.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import type { Prepared } from "./payout-rows.ts";
import { prepare } from "./payout-rows.ts";
import { fileOf, linesOf, typeOf } from "./write-file.ts";

/** Lines shown of a file before it is made. */
const shownLines = 6;

const sumOf = (rows: readonly { readonly amount: string }[]): string => moneyText(rows.reduce((sum, row) => sum + money(row.amount), 0n));

function byAccount(rows: Prepared["rows"]): { code: string; count: number; amount: string }[] {
  const groups = Map.groupBy(rows, ({ paying_code }) => paying_code);
  return [...groups].map(([code, of]) => ({ code, count: of.length, amount: sumOf(of) }));
}

/** Sorts by its day and time, and is a name on every system. */
function nameOf({ name, now, setting }: Prepared, { currency, currencyFacts }: StaffCall): string {
  const clock = new Date(now.getTime() + currencyFacts.zoneMinutes * 60_000).toISOString().slice(11, 19).replaceAll(":", "");
  return `${name.replace(/[^\p{L}\p{N} ._-]+/gu, "-")} ${currency} ${setting.day} ${clock}.csv`;
}

/** Writes the file, its rows and their marks; each row's history tells of it. */
async function keep(db: Scoped, call: StaffCall, prepared: Prepared) {
  const { name: template, layout, rows, now, setting } = prepared;
  const file = { uuid: randomUUID(), name: nameOf(prepared, call), count: rows.length, amount: sumOf(rows) };
  const actor = actorOf(call);
  const ids = rows.map(({ uuid }) => uuid);
  await db
    .insertInto("payout_files")
    .values({
      tenant_id: call.tenant,
      id: file.uuid,
      currency: call.currency,
      name: file.name,
      template,
      type: typeOf(layout),
      bytes: fileOf(linesOf(layout, rows, setting), layout),
      rows: rows.length,
      amount: file.amount,
      by_user: call.caller.id,
      actor: call.caller.name,
      at: now,
    })
    .execute();
  await sql`insert into payout_file_rows (tenant_id, file_id, transaction_id)
    select ${call.tenant}, ${file.uuid}, one from unnest(${ids}::uuid[]) one`.execute(db);
  await sql`update transactions set payout_file_id = ${file.uuid}, version = version + 1
    where tenant_id = ${call.tenant} and id = any(${ids}::uuid[])`.execute(db);
  await record(db, call.tenant, actor, {
    act: "payout-file.export",
    entity: "payout-file",
    entityId: file.uuid,
    after: { name: file.name, template, rows: rows.length, amount: file.amount, currency: call.currency },
  });
  await sql`insert into audit_entries (tenant_id, actor_kind, actor_id, actor_name, act, entity, entity_id, after, ip, request_id)
    select ${call.tenant}, ${actor.kind}, ${actor.id}, ${actor.name}, 'withdrawal.payout-file', 'withdrawal', one,
      ${JSON.stringify({ payout_file: file.name })}::jsonb, ${actor.ip}, ${actor.requestId} from unnest(${ids}::uuid[]) one`.execute(db);
  return file;
}

export const payoutFileHandlers: Handlers<typeof payoutFileRoutes, StaffCall> = {
  previewPayoutFile: (call, { body }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const { layout, rows, setting, exported, refused } = await prepare(db, call, body, "read");
      const lines = linesOf(layout, rows.slice(0, shownLines), setting).slice(0, shownLines);
      return { data: { lines, count: rows.length, amount: sumOf(rows), accounts: byAccount(rows), exported, refused: [...refused] } };
    }),

  async exportPayoutFile(call, { body }) {
    const data = await once(call, null, async (db) => {
      const prepared = await prepare(db, call, body, "lock");
      if (prepared.refused.length > 0) throw new Refusal("payout-file.rows", { rows: prepared.refused });
      if (prepared.exported.length > 0 && body.again !== true)
        throw new Refusal("payout-file.exported-before", { rows: prepared.exported });
      return { answer: await keep(db, call, prepared) };
    });
    call.deps.publisher.changed(
      call.tenant,
      "withdraw",
      body.rows.map(({ uuid }) => uuid),
    );
    return { data };
  },

  readPayoutFile: (call, { params: { uuid } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      const file = await db
        .selectFrom("payout_files")
        .select(["name", "type", "bytes"])
        .where("tenant_id", "=", call.tenant)
        .where("currency", "=", call.currency)
        .where("id", "=", uuid)
        .executeTakeFirst();
      if (!file) throw new Refusal("not-found");
      // every reveal of a file with account numbers is on record
      await record(db, call.tenant, actorOf(call), {
        act: "payout-file.read",
        entity: "payout-file",
        entityId: uuid,
        after: { name: file.name },
      });
      return { data: { ...file, bytes: new Uint8Array(file.bytes) } };
    }),
};
