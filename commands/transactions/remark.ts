import type { SubjectName } from "../../src/contract/index.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import type { Moved } from "./rows.ts";
import { shortId } from "./rows.ts";

/** What colleagues should know of a transaction; sent only when it was changed. */
export async function remark<Row extends Pick<Moved, "uuid" | "txn_no"> & { readonly remark: string | null }>(
  row: Row,
  subject: SubjectName,
  send: (text: string) => Promise<Row>,
  services: Services,
): Promise<void> {
  const text = await services.ask("text", {
    title: "transaction.ask.remark",
    words: { id: shortId(row) },
    initial: row.remark ?? "",
    maximum: 1000,
  });
  if (text === null || text === (row.remark ?? "")) return;
  const changed = await send(text);
  services.say("transaction.said.remarked", { id: shortId(row) }, "done");
  services.changed(subject, [changed]);
}
