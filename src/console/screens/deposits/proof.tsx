import { useQuery } from "@tanstack/react-query";
import { bankTransactionRoutes } from "../../../contract/bank-transactions.ts";
import type { LineSuggestion, MatchScore } from "../../../contract/bank-transactions.ts";
import type { Deposit } from "../../../contract/deposits.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import { isOpen } from "../../../contract/transactions.ts";
import { Instant } from "../../api/instant.tsx";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { CommandKey } from "../../kit/look/command-button.tsx";
import { useText } from "../../kit/texts/texts.ts";

const route = bankTransactionRoutes.suggestBankLines;
const parts = ["amount", "reference", "name", "time"] as const;

/** Bank lines that may be this money, the best first, each with what its score is made of. */
export function Proof({ row }: { row: Deposit }) {
  const t = useText();
  const { call } = useApi();
  const { tenant, currency, context } = useSignedIn();
  const mayLook = isAllowed(context.permissions, route.permission);
  // of a decided one nothing is sought any more, but of late money
  const isAsked = isOpen(row) || row.status === "expired";
  const { data: lines } = useQuery({
    queryKey: [tenant.id, currency?.code, "bank-lines-for", row.uuid, row.version],
    queryFn: async ({ signal }) => (await call(route, { query: { transaction: row.uuid } }, { signal, background: true })).data,
    enabled: mayLook && isAsked,
  });
  if (lines === undefined) return null;
  return (
    <section className="sec proof">
      <h2>
        {t("deposit.detail.proof")}
        {lines.length > 0 && (
          <span className="end">
            {t("deposit.detail.match")} <CommandKey id="deposit.match" />
          </span>
        )}
      </h2>
      {lines.length === 0 && <p className="ln t3">{t("deposit.detail.no-proof")}</p>}
      {lines.map((suggestion) => (
        <Suggested key={suggestion.line.uuid} suggestion={suggestion} />
      ))}
    </section>
  );
}

function Suggested({ suggestion: { line, score } }: { suggestion: LineSuggestion }) {
  return (
    <div className="ln">
      <Score score={score} />
      <bdi className="cut grow" title={line.description}>
        {line.counterparty ?? line.description}
      </bdi>
      {line.reference !== null && <bdi className="mono cut t2">{line.reference}</bdi>}
      <span className="t3">
        <Instant at={line.time} as="clock" />
      </span>
      <span className="num">
        <Amount text={line.amount} />
      </span>
    </div>
  );
}

/** Its sum, and its four parts as a bar. */
function Score({ score }: { score: MatchScore }) {
  const t = useText();
  const told = parts.map((part) => `${t(`deposit.score.${part}`)} ${score[part]}`).join(" · ");
  return (
    <span className="score" title={told}>
      <b>{score.total}</b>
      <span aria-hidden="true">
        {parts.map((part) => (
          <i key={part} style={{ "--v": `${score[part]}%` }} />
        ))}
      </span>
      <span className="sr">{told}</span>
    </span>
  );
}
