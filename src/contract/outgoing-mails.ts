import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { Instant, ListMeta, listQuery, Uuid } from "./wire.ts";

/** A mail that was not sent because no SMTP server is configured; kept for seven days. */
export const OutgoingMail = z.object({
  uuid: Uuid,
  to: z.string(),
  subject: z.string(),
  language: z.string(),
  /** null: the addressee is also a member of another tenant, and a link to that account must not reach this tenant's owners. */
  text: z.string().nullable(),
  created_at: Instant,
});
export type OutgoingMail = z.infer<typeof OutgoingMail>;

export const outgoingMailRoutes = defineRoutes({
  listOutgoingMails: {
    method: "GET",
    path: "/service/centralize-authenticate/api/tenant/v1/outgoing-mails",
    permission: "tenant-setting.view",
    owner: true,
    reads: "audited",
    query: listQuery({}, ["created_at"]),
    answer: z.array(OutgoingMail),
    meta: ListMeta,
  },
});
