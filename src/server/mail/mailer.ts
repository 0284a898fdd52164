import { sql } from "kysely";
import { createTransport } from "nodemailer";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { skipFailure } from "../jobs/record.ts";
import { mailPlace } from "./mails.ts";

interface Mailer {
  /** Sends due mails, one after the other. */
  round(): Promise<void>;
  /** Starts no further mail and cuts the connection. */
  stop(): void;
}

/** Seconds to wait after each failed attempt; a mailed link is valid for an hour. */
const waits = [10, 60, 300, 900, 1_800] as const;
const timeout = 10_000;
/** Longer than all time-outs of one mail. */
const leaseSeconds = 60;
const atOnce = 20;

interface Due {
  tenant_id: string;
  id: string;
}
/** What an attempt ended with: an SMTP reply code, or the error before there was one. `isFinal`: no later attempt can end otherwise. */
interface Failure {
  readonly error: string;
  readonly isFinal: boolean;
}
interface Leased extends Due {
  recipient: string;
  subject: string;
  body: Buffer;
  attempts: number;
}

/** Delivers mails over SMTP. Each is leased first, so that several processes can send at once. */
export function createMailer(deps: Deps): Mailer {
  const { database, config, secrets, log } = deps;
  const { smtp } = config;
  const transport =
    smtp && createTransport({ url: smtp.url, connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout });
  let stopped = false;

  async function lease({ tenant_id, id }: Due): Promise<Leased | undefined> {
    return inTenant(database, tenant_id, async (db) => {
      const { rows } = await sql<Leased>`update mails set leased_until = now() + make_interval(secs => ${leaseSeconds})
        where tenant_id = ${tenant_id} and id = (select id from mails where tenant_id = ${tenant_id} and id = ${id} and state = 'waiting'
          and next_attempt_at <= now() and (leased_until is null or leased_until < now()) for update skip locked)
        returning tenant_id, id, recipient, subject, body, attempts`.execute(db);
      return rows[0];
    });
  }

  async function deliver(mail: Leased): Promise<void> {
    const { tenant_id, id } = mail;
    const failure = await send(mail);
    const wait = waits[mail.attempts];
    const error = failure?.error ?? null;
    const over = wait === undefined || failure?.isFinal === true;
    const state = failure === null ? "sent" : over ? "failed" : "waiting";
    if (failure !== null) log.warn({ mail: id, error, over }, "a mail was not taken");
    await inTenant(database, tenant_id, (db) =>
      sql`update mails set state = ${state}, attempts = attempts + 1, error = ${error}, leased_until = null,
          body = case when ${state} = 'waiting' then body end,
          next_attempt_at = case when ${state} = 'waiting' then now() + make_interval(secs => ${wait ?? 0}) end
        where tenant_id = ${tenant_id} and id = ${id} and attempts = ${mail.attempts}`.execute(db),
    );
  }

  /** null: accepted. */
  async function send(mail: Leased): Promise<Failure | null> {
    try {
      await transport?.sendMail({
        from: smtp?.from,
        to: mail.recipient,
        subject: mail.subject,
        text: secrets.open(mail.body, mailPlace(mail.tenant_id, mail.id)),
        // the same id at each attempt, so that a mail accepted twice is recognised
        messageId: `<${mail.id}@countinghouse>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
      return null;
    } catch (error) {
      return failureOf(error as SmtpError); // nodemailer's own fields
    }
  }

  return {
    async round() {
      if (!transport || stopped) return;
      const { rows } = await sql<Due>`select tenant_id, id from mails where state = 'waiting' and next_attempt_at <= now()
        and (leased_until is null or leased_until < now()) order by next_attempt_at limit ${atOnce}`.execute(database.worker);
      for (const one of rows) {
        if (stopped) return;
        await skipFailure(deps, "mail", { tenant: one.tenant_id, mail: one.id }, async () => {
          const leased = await lease(one);
          if (leased) await deliver(leased);
        });
      }
    },
    stop() {
      stopped = true;
      transport?.close();
    },
  };
}

interface SmtpError {
  readonly responseCode?: number;
  readonly code?: string;
  /** What the server answered. */
  readonly command?: string;
}

/** 5xx refuses this mail for good only where it answers the recipient or the text: elsewhere it is of our account or the server. */
function failureOf({ responseCode, code, command }: SmtpError): Failure {
  const isRefused = responseCode !== undefined && responseCode >= 500;
  return { error: String(responseCode ?? code ?? "unknown"), isFinal: isRefused && (command === "RCPT TO" || command === "DATA") };
}
