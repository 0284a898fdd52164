import { createContext, useContext, useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { BankLine, BankLineDetail, Candidate } from "../../../contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transaction-routes.ts";
import { useLive, useRead } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { CommandButton, CommandKey } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { Status } from "../../kit/look/status.tsx";
import { StrongEnd } from "../../kit/look/strong-end.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { money, moneyText } from "../../../values/money.ts";
import { transactionScreens, usePointTo } from "../../lists/counterpart.ts";
import { useMarkedBeside } from "../../lists/marked-beside.ts";
import { LineBeside } from "../../transactions/line-beside.tsx";
import { ScoreBar, ScoreLegend } from "../../transactions/match-score.tsx";
import type { Choice, Part } from "./choices.ts";
import { choicesFor } from "./choices.ts";
import type { MatchingWork } from "./matching-store.ts";
import "./bank-transactions.css";

export const MatchingContext = createContext<MatchingWork | null>(null);

function useMatching(): MatchingWork {
  const matching = useContext(MatchingContext);
  if (matching === null) throw new Error("no matching above");
  return matching;
}

/** What an unmatched line may be: what is marked on the other side, the suggestions with the parts of their score, and the one looked at. */
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
  const { rows: marked, clear } = useMarkedBeside(line.direction === "credit" ? "deposit" : "withdrawal");
  const choices = useMemo(() => suggestions && choicesFor(line, suggestions, marked), [line, suggestions, marked]);
  useEffect(() => {
    if (choices) matching.show(line.uuid, choices, clear);
  }, [matching, line.uuid, choices, clear]);
  useEffect(() => matching.hide, [matching]);
  const at = useStore(matching.store, (now) => now.at);
  const chosen = choices?.[at] ?? choices?.[0];
  // what is marked is looked at where it stands
  usePointTo(...counterpartOf(marked.length > 0 ? undefined : chosen?.transactions[0]));
  if (choices === undefined) {
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
        {choices.map((choice, place) => (
          <li key={choice.id}>
            <button
              type="button"
              className="suggestion"
              aria-current={choice === chosen ? "true" : undefined}
              onClick={() => matching.choose(place)}
            >
              <b className="score">{choice.score?.total ?? "–"}</b>
              {choice.score === null ? <span className="tag">{t("bank-line.matching.marked")}</span> : <ScoreBar score={choice.score} />}
              <span className="cut">
                <bdi>{namesOf(choice)}</bdi>
              </span>
              <bdi className="mono t2">{choice.transactions.map(({ txn_no }) => `…${txn_no.slice(-6)}`).join(" ")}</bdi>
            </button>
          </li>
        ))}
      </ol>
      <p className="ln t3 steps">
        {/* as the keys lie */}
        <span dir="ltr">
          <CommandKey id="bank-line.suggestion-left" /> <CommandKey id="bank-line.suggestion-right" />
        </span>{" "}
        {t("bank-line.matching.which", { at: at + 1, of: choices.length })}
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

const namesOf = ({ transactions }: Choice): string => transactions.map(({ name }) => name).join(" + ");

/** The line on one side, what it would prove on the other, and what is left between them. */
function Legs({ line, chosen: { transactions, difference } }: { line: BankLine; chosen: Choice }) {
  const t = useText();
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
              <Amount text={moneyText(money(line.amount) - difference)} />
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
          {t("bank-line.match-these", { n: transactions.length })}
        </CommandButton>
      </div>
    </div>
  );
}

/** One of them above the line. */
function Candidates({ line, candidate, inSet }: { line: BankLine; candidate: Part; inSet: boolean }) {
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
