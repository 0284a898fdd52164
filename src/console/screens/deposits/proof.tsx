import { bankTransactionRoutes as routes } from "../../../contract/bank-transaction-routes.ts";
import type { BankLine, LineSuggestion } from "../../../contract/bank-transactions.ts";
import type { Deposit, DepositDetail } from "../../../contract/deposits.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import { isOpen } from "../../../contract/transactions.ts";
import { Instant } from "../../api/instant.tsx";
import { useRead, useSignedIn } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { CommandKey } from "../../kit/look/command-button.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { usePointTo } from "../../lists/counterpart.ts";
import { LineBeside } from "../../transactions/line-beside.tsx";
import { ScoreBar, ScoreLegend } from "../../transactions/match-score.tsx";

/** The bank's line that proves a deposit, part by part; while none does, those that may, the best above the deposit. */
export function Proof({ row, lines: { matched, suggestions } }: { row: Deposit; lines: DepositDetail["lines"] }) {
  const t = useText();
  const { context } = useSignedIn();
  const [best] = suggestions;
  usePointTo("bank-transactions", (matched ?? best?.line)?.uuid ?? null);
  // of a decided one nothing is sought any more, but of late money
  const isSought = isOpen(row) || row.status === "expired";
  if (!isAllowed(context.permissions, routes.suggestBankLines.permission) || (matched === null && !isSought)) return null;
  return (
    <section className="sec proof">
      <h2>
        {t(matched === null ? "deposit.detail.proof" : "deposit.detail.proved-by")}
        {matched === null && best !== undefined && isOpen(row) && (
          <span className="end">
            {t("deposit.detail.match")} <CommandKey id="deposit.match" />
          </span>
        )}
      </h2>
      {matched !== null && <Matched row={row} line={matched} />}
      {matched === null && best === undefined && <p className="ln t3">{t("deposit.detail.no-proof")}</p>}
      {matched === null && best !== undefined && (
        <>
          <ScoreLegend />
          {suggestions.map((suggestion) => (
            <Suggested key={suggestion.line.uuid} suggestion={suggestion} />
          ))}
          <LineBeside line={best.line} transaction={provedOf(row)} score={best.score} />
        </>
      )}
    </section>
  );
}

const provedOf = ({ customer_name: name, ...row }: Deposit) => ({ ...row, name });

/** The line itself, and what the match was worth when it was made. */
function Matched({ row, line }: { row: Deposit; line: BankLine }) {
  const t = useText();
  const { data } = useRead(routes.readBankLine, { params: { uuid: line.uuid } });
  const made = data?.data.matches.find(({ uuid }) => uuid === row.uuid);
  const isSet = line.matched.length > 1;
  return (
    <>
      <div className="ln">
        <bdi className="mono strong">{line.payment_account.code}</bdi>
        {made !== undefined && <b>{made.score.total}</b>}
        {made !== undefined && <ScoreBar score={made.score} />}
        {made !== undefined && <span className="t3 cut">{made.automatic ? t("deposit.proof.automatic") : <bdi>{made.by}</bdi>}</span>}
        <span className="num strong">
          <Amount text={line.amount} />
        </span>
      </div>
      {isSet && <p className="ln t2">{t("deposit.proof.set", { n: line.matched.length })}</p>}
      <LineBeside line={line} transaction={provedOf(row)} score={made?.score ?? null} inSet={isSet} />
    </>
  );
}

function Suggested({ suggestion: { line, score } }: { suggestion: LineSuggestion }) {
  return (
    <div className="ln">
      <b className="score">{score.total}</b>
      <ScoreBar score={score} />
      <bdi className="cut grow" title={line.description}>
        {line.counterparty ?? line.description}
      </bdi>
      <span className="t3">
        <Instant at={line.time} as="clock" />
      </span>
      <span className="num">
        <Amount text={line.amount} />
      </span>
    </div>
  );
}
