import { sql } from "kysely";
import type { OutgoingMail } from "../../contract/outgoing-mails.ts";
import type { outgoingMailRoutes } from "../../contract/outgoing-mails.ts";
import type { Language } from "../../contract/languages.ts";
import { actorOf, record } from "../audit/record.ts";
import { isElsewhere } from "../auth/own-tenants.ts";
import type { Deps, StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { cursorRefusal, cutPage, pageOf, requestedTotals, withMoment } from "../db/keyset.ts";
import type { Sorts } from "../db/keyset.ts";

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly language: Language;
  /** The addressee is also a member of other tenants, so this tenant's owners must not read the text. */
  readonly shared: boolean;
}

export const mailPlace = (tenant: string, mail: string) => `${tenant}|mails|${mail}|body`;

/** Queues a mail in the transaction of the event it is about, scoped to `tenant`; without an SMTP server it is only kept. */
export async function putMail(db: Scoped, { secrets, config }: Deps, tenant: string, mail: Mail): Promise<void> {
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(db);
  const id = rows[0]?.id ?? "";
  await db
    .insertInto("mails")
    .values({
      tenant_id: tenant,
      id,
      recipient: mail.to,
      subject: mail.subject,
      body: secrets.seal(mail.text, mailPlace(tenant, id)),
      language: mail.language,
      shared: mail.shared,
      ...(config.smtp ? { state: "waiting", next_attempt_at: sql<Date>`now()` } : { state: "kept" }),
    })
    .execute();
}

const sorts: Sorts = {
  created_at: [
    { name: "created_at", type: "timestamptz" },
    { name: "id", type: "uuid" },
  ],
};

interface MailRow {
  id: string;
  recipient: string;
  subject: string;
  body: Buffer | null;
  language: string;
  shared: boolean;
  created_at: Date;
  key: string[];
}

/**
 * Those recipients who work in another tenant, too, or are suspended there: a link that opens their account is not for this one's owners
 * to read, even where it was theirs alone when it was mailed.
 */
async function elsewhereOf(db: Scoped, tenant: string, recipients: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
    recipient: string;
  }>`select u.id, one as recipient from unnest(${[...new Set(recipients)]}::text[]) one
    join users u on lower(u.email) = lower(one)`.execute(db);
  const found = new Set<string>();
  for (const { id, recipient } of rows) if (await isElsewhere(db, id, tenant)) found.add(recipient); // oxlint-disable-line no-await-in-loop -- one connection
  return found;
}

function mailView({ secrets }: Deps, tenant: string, row: MailRow, isHidden: boolean): OutgoingMail {
  return {
    uuid: row.id,
    to: row.recipient,
    subject: row.subject,
    language: row.language,
    text: row.shared || isHidden || row.body === null ? null : secrets.open(row.body, mailPlace(tenant, row.id)),
    created_at: row.created_at.toISOString(),
  };
}

export const outgoingMailHandlers: Handlers<typeof outgoingMailRoutes, StaffCall> = {
  async listOutgoingMails(call, { query: requested }) {
    const { deps, tenant } = call;
    return inTenant(deps.database, tenant, async (db) => {
      const query = await withMoment(db, call, requested);
      const sort = query.sort ?? ["-created_at"];
      const page = pageOf(sort, sorts, query, "m");
      const named = query.q ? sql`and position(lower(${query.q}) in lower(m.recipient)) > 0` : sql``;
      const kept = sql`mails m where m.tenant_id = ${tenant} and m.state = 'kept' ${named}`;
      const found = await sql<MailRow>`select * from (
          select m.*, ${page.key} as key from ${kept} ${page.after} order by ${page.order} limit ${page.most}) m order by ${page.shown}`
        .execute(db)
        .catch((error: unknown) => {
          throw cursorRefusal(error);
        });
      const { rows, meta } = cutPage(found.rows, sort, query);
      const elsewhere = await elsewhereOf(
        db,
        tenant,
        rows.map(({ recipient }) => recipient),
      );
      const data = rows.map((row) => mailView(deps, tenant, row, elsewhere.has(row.recipient)));
      const shown = data.filter(({ text }) => text !== null).map(({ uuid }) => uuid);
      // audited, because the links in them open accounts
      if (shown.length > 0) {
        await record(db, tenant, actorOf(call), {
          act: "outgoing-mail.read",
          entity: "outgoing-mail",
          entityId: null,
          after: { uuids: shown },
        });
      }
      if (!requestedTotals(query.with).count) return { data, meta };
      const counted = await sql<{ count: number }>`select count(*)::integer as count from ${kept}`.execute(db);
      return { data, meta: { ...meta, count: counted.rows[0]?.count ?? 0 } };
    });
  },
};
