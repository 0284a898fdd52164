import { createContext, useContext, useEffect } from "react";
import { useStore } from "zustand";
import type { BankLine, BankLineDetail, Candidate, Suggestion } from "../../../contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transactions.ts";
import { useLive, useRead } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { CommandButton, CommandKey } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { Status } from "../../kit/look/status.tsx";
import { StrongEnd } from "../../kit/look/strong-end.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { money, moneyText } from "../../../values/money.ts";
import { transactionScreens, usePointTo } from "../../transactions/counterpart.ts";
import { LineBeside } from "../../transactions/line-beside.tsx";
import { ScoreBar, ScoreLegend } from "../../transactions/match-score.tsx";
import type { MatchingWork } from "./matching-store.ts";
import "./bank-transactions.css";

export const MatchingContext = createContext<MatchingWork | null>(null);

function useMatching(): MatchingWork {
  const matching = useContext(MatchingContext);
  if (matching === null) throw new Error("no matching above");
  return matching;
}

/** What an unmatched line may be: the suggestions with the parts of their score, and the one looked at beside the line. */
export function Matching({ detail: { row } }: { detail: BankLineDetail }) {
  return <Suggestions key={row.uuid} line={row} />;
}

function Suggestions({ line }: { line: BankLine }) {
  const t = useText();
  const matching = useMatching();
  const read = useRead(routes.suggestForBankLine, { params: { uuid: line.uuid } });
  const { refetch } = read;
  // what was found before the line was matched names versions that a match has changed since
  useEffect(() => void refetch({ cancelRefetch: false }), [refetch]);
  const suggestions = read.isFetchedAfterMount ? read.data?.data : undefined;
  // what fits changes with every deposit and withdrawal that comes or is decided
  useLive("deposit", () => void refetch());
  useLive("withdraw", () => void refetch());
  useEffect(() => {
    if (suggestions) matching.show(line.uuid, suggestions);
  }, [matching, line.uuid, suggestions]);
  useEffect(() => matching.hide, [matching]);
  const at = useStore(matching.store, (now) => now.at);
  const chosen = suggestions?.[at] ?? suggestions?.[0];
  usePointTo(...counterpartOf(chosen?.transactions[0]));
  if (suggestions === undefined) {
    if (!read.isError) return <p className="ln t3">{t("bank-line.matching.looking")}</p>;
    return (
      <p className="ln">
        {t("bank-line.matching.failed")}{" "}
        <button type="button" className="btn bare" onClick={() => void refetch()}>
          {t("page.retry")}
        </button>
      </p>
    );
  }
  if (chosen === undefined) return <p className="ln t3">{t("bank-line.matching.none")}</p>;
  return (
    <div className="matching">
      <ScoreLegend />
      <ol className="suggestions" aria-label={t("bank-line.section.matching")}>
        {suggestions.map((suggestion, place) => (
          <li key={suggestion.transactions.map(({ uuid }) => uuid).join()}>
            <button
              type="button"
              className="suggestion"
              aria-current={suggestion === chosen ? "true" : undefined}
              onClick={() => matching.choose(place)}
            >
              <b className="score">{suggestion.score.total}</b>
              <ScoreBar score={suggestion.score} />
              <span className="cut">
                <bdi>{namesOf(suggestion)}</bdi>
              </span>
              <bdi className="mono t2">{suggestion.transactions.map(({ txn_no }) => `…${txn_no.slice(-6)}`).join(" ")}</bdi>
            </button>
          </li>
        ))}
      </ol>
      <p className="ln t3 steps">
        <CommandKey id="bank-line.previous-suggestion" /> <CommandKey id="bank-line.next-suggestion" />{" "}
        {t("bank-line.matching.which", { at: at + 1, of: suggestions.length })}
      </p>
      <Legs line={line} chosen={chosen} />
      {chosen.transactions.map((candidate) => (
        <Candidates key={candidate.uuid} line={line} candidate={candidate} inSet={chosen.transactions.length > 1} />
      ))}
    </div>
  );
}

const counterpartOf = (one: Pick<Candidate, "uuid" | "kind"> | undefined) =>
  [one === undefined ? "deposits" : transactionScreens[one.kind], one?.uuid ?? null] as const;

/** Of a line that is matched, the first of what it proves. */
export function Matches({ detail: { row } }: { detail: BankLineDetail }) {
  usePointTo(...counterpartOf(row.matched[0]));
  return null;
}

const namesOf = ({ transactions }: Suggestion): string => transactions.map(({ name }) => name).join(" + ");

/** The line on one side, what it would prove on the other, and what is left between them. */
function Legs({ line, chosen: { transactions } }: { line: BankLine; chosen: Suggestion }) {
  const t = useText();
  const sum = transactions.reduce((all, { amount }) => all + money(amount), 0n);
  const difference = money(line.amount) - sum;
  return (
    <div className="legs">
      {transactions.length > 1 && (
        <dl>
          {transactions.map((candidate) => (
            <div key={candidate.uuid} className="kv">
              <dt>
                <StrongEnd id={candidate.txn_no} /> <bdi>{candidate.name}</bdi>
              </dt>
              <dd>
                <Amount text={candidate.amount} />
              </dd>
            </div>
          ))}
          <div className="kv total">
            <dt>{t("bank-line.matching.sum")}</dt>
            <dd>
              <Amount text={moneyText(sum)} />
            </dd>
          </div>
        </dl>
      )}
      <div className="take">
        <p>
          <span className="t3">{t("bank-line.matching.difference")}</span>{" "}
          <b className={difference === 0n ? "pass" : "fail"}>
            {difference === 0n && <Icon name="tick" size="s" />}
            <Amount text={moneyText(difference)} />
          </b>
        </p>
        <CommandButton id="bank-line.match" look="go">
          {t("bank-line.acts.match", { n: transactions.length })}
        </CommandButton>
      </div>
    </div>
  );
}

/** One of them above the line. */
function Candidates({ line, candidate, inSet }: { line: BankLine; candidate: Candidate; inSet: boolean }) {
  const t = useText();
  return (
    <div className="candidate">
      <p className="ln">
        <Status status={candidate.status} /> <StrongEnd id={candidate.txn_no} />
        <bdi className="t2 cut">{candidate.merchant?.name ?? candidate.name}</bdi>
        {candidate.known_payer && <span className="chip end">{t("bank-line.matching.known-payer")}</span>}
      </p>
      <LineBeside line={line} transaction={candidate} score={candidate.score} inSet={inSet} />
    </div>
  );
}
