import type { z } from "zod";
import type { RelatedTransaction } from "../../contract/transactions.ts";
import { Instant } from "../api/instant.tsx";
import { useApi, useFormats } from "../api/use-api.ts";
import { Amount } from "../kit/look/amount.tsx";
import { Status } from "../kit/look/status.tsx";
import type { MessageKey } from "../kit/texts/messages.ts";
import { useText } from "../kit/texts/texts.ts";

/** Other transactions that one should know of, a line each; `total`: of how many, and what they come to. */
export function Related({
  title,
  rows,
  total,
}: {
  title: MessageKey;
  rows: readonly z.infer<typeof RelatedTransaction>[];
  total: { readonly count: number; readonly amount: string } | null;
}) {
  const t = useText();
  const formats = useFormats();
  const { time } = useApi();
  const today = formats.day(time.now());
  return (
    <section className="sec">
      <h2>
        {t(title)}
        <span className="end">
          <bdi>{total === null ? rows.length : `${total.count} · ${formats.amount(total.amount)}`}</bdi>
        </span>
      </h2>
      {rows.length === 0 && <p className="ln t3">{t("transaction.detail.first-of-customer")}</p>}
      {rows.map((row) => (
        <div key={row.uuid} className="ln">
          <span className="of-status">
            <Status status={row.status} />
          </span>
          <bdi className="id">
            …<b>{row.txn_no.slice(-6)}</b>
          </bdi>
          <span className="t3">
            <Instant at={row.created_at} as={formats.day(row.created_at) === today ? "clock" : "day"} />
          </span>
          <span className="num">
            <Amount text={row.amount} />
          </span>
        </div>
      ))}
    </section>
  );
}
