import type { bankNoticeRoutes } from "../../contract/bank-notices.ts";
import { actorOf, record } from "../audit/record.ts";
import type { ForwarderCall } from "../call.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { addLines } from "./add-lines.ts";

/** Bank notices that forwarders send. Their lines get their turn at the rules and the matcher as those of a file do. */
export const bankNoticeHandlers: Handlers<typeof bankNoticeRoutes, ForwarderCall> = {
  async sendBankLines(call, { body }) {
    let arrived: readonly string[] = [];
    const data = await once(call, null, async (db) => {
      const lines = body.lines.map(({ time, ...line }) => ({ ...line, time: new Date(time) }));
      // a phone tells one payment as often as it is told of it
      const { added, known, ids } = await addLines(db, call, call.caller.id, lines, { source: "call", by: null, twins: "none" });
      arrived = ids;
      if (added > 0) {
        await record(db, call.tenant, actorOf(call), {
          act: "bank-line.receive",
          entity: "bank-line",
          entityId: null,
          after: { payment_account: call.caller.name, added, known },
        });
      }
      return { answer: { added, known } };
    });
    if (arrived.length > 0) call.deps.publisher.changed(call.tenant, "bankLine", arrived);
    return { data };
  },
};
