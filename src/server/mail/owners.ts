import { sql } from "kysely";
import { ownerCode } from "../../contract/user-groups.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { mailText } from "../texts.ts";
import { putMail } from "./mails.ts";

/**
 * The address of a record on a screen of that path, which names its tenant and currency as the console's own links do
 * (console/frame/place-link.ts): whoever worked in another last is asked to switch.
 */
export const recordLink = ({ config }: Deps, path: string, at: { record: string; tenant: string; currency: string }): string =>
  `${config.publicUrl}${path}?${new URLSearchParams(at)}`;

/** Mails each active owner of a tenant: `<text>.subject` and `<text>.text` of the texts, in English, with the owner's name among the words. */
export async function mailOwners(
  db: Scoped,
  deps: Deps,
  tenant: string,
  text: "mail.endpoint" | "mail.score-below" | "mail.score-error",
  words: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await sql<{ email: string; name: string }>`select u.email, u.name
    from user_groups g join membership_groups mg on mg.tenant_id = g.tenant_id and mg.group_id = g.id
    join memberships m on m.tenant_id = mg.tenant_id and m.user_id = mg.user_id and m.status = 'active'
    join users u on u.id = m.user_id and u.status = 'active'
    where g.tenant_id = ${tenant} and g.code = ${ownerCode}`.execute(db);
  for (const { email, name } of rows) {
    await putMail(db, deps, tenant, {
      to: email,
      subject: mailText("en", `${text}.subject`, { ...words, name }),
      text: mailText("en", `${text}.text`, { ...words, name }),
      language: "en",
      shared: false,
    });
  }
}
