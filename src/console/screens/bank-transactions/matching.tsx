import { createContext, useContext, useEffect } from "react";
import { useStore } from "zustand";
import type { BankLine, BankLineDetail, Candidate, MatchScore, Suggestion } from "../../../contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transactions.ts";
import { Instant } from "../../api/instant.tsx";
import { useLive, useRead } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { CommandButton, CommandKey } from "../../kit/look/command-button.tsx";
import { Status } from "../../kit/look/status.tsx";
import { StrongEnd } from "../../kit/look/strong-end.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { compared } from "./differences.ts";
import type { Part } from "./differences.ts";
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
  const suggestions = read.data?.data;
  // what fits changes with every deposit and withdrawal that comes or is decided
  useLive("deposit", () => void read.refetch());
  useLive("withdraw", () => void read.refetch());
  useEffect(() => {
    if (suggestions) matching.show(line.uuid, suggestions);
  }, [matching, line.uuid, suggestions]);
  useEffect(() => matching.hide, [matching]);
  const at = useStore(matching.store, (now) => now.at);
  if (suggestions === undefined) {
    if (!read.isError) return <p className="ln t3">{t("bank-line.matching.looking")}</p>;
    return (
      <p className="ln">
        {t("bank-line.matching.failed")}{" "}
        <button type="button" className="btn bare" onClick={() => void read.refetch()}>
          {t("page.retry")}
        </button>
      </p>
    );
  }
  const chosen = suggestions[at] ?? suggestions[0];
  if (chosen === undefined) return <p className="ln t3">{t("bank-line.matching.none")}</p>;
  return (
    <div className="matching">
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
              <bdi className="num">
                <Amount text={line.amount} />
              </bdi>
            </button>
          </li>
        ))}
      </ol>
      <p className="ln t3 steps">
        <CommandKey id="bank-line.previous-suggestion" /> <CommandKey id="bank-line.next-suggestion" />{" "}
        {t("bank-line.matching.which", { at: at + 1, of: suggestions.length })}
      </p>
      {chosen.transactions.map((candidate) => (
        <Beside key={candidate.uuid} line={line} candidate={candidate} score={chosen.score} />
      ))}
      <CommandButton id="bank-line.match" look="go">
        {t("bank-line.acts.match", { n: chosen.transactions.length })}
      </CommandButton>
    </div>
  );
}

const namesOf = ({ transactions }: Suggestion): string => transactions.map(({ name }) => name).join(" + ");

const parts = ["amount", "reference", "name", "time"] as const;
const most = { amount: 35, reference: 30, name: 20, time: 15 } as const;

/** Each part is fainter than the one before. */
const shadeOf = { amount: undefined, reference: "of-reference", name: "of-name", time: "of-time" } as const;

/** The four parts of a score, each as long as its points. */
function ScoreBar({ score }: { score: MatchScore }) {
  const t = useText();
  const told = parts.map((part) => `${t(`bank-line.score.${part}`)} ${score[part]}/${most[part]}`).join(", ");
  return (
    <span className="points" role="img" aria-label={told} title={told}>
      {parts.map((part) => (
        <i key={part} className={shadeOf[part]} style={{ inlineSize: `${score[part]}%` }} />
      ))}
    </span>
  );
}

/** A line and a candidate, field under field: what both say stands dim, what differs is lit. */
function Beside({ line, candidate, score }: { line: BankLine; candidate: Candidate; score: MatchScore }) {
  const t = useText();
  const bank = line.counterparty ?? line.description;
  const [bankName, name] = compared(bank, candidate.name);
  const written = [line.reference, line.description].filter(Boolean).join(" ");
  // what the bank's text names it by, if it names it
  const numbers = [candidate.txn_no, candidate.reference_no ?? candidate.txn_no];
  const number = numbers.find((one) => written.includes(one)) ?? candidate.reference_no ?? candidate.txn_no;
  const [bankReference, reference] = compared(written, number);
  return (
    <table className="tbl beside">
      <caption>
        <Status status={candidate.status} /> <StrongEnd id={candidate.txn_no} /> <bdi className="t2">{candidate.merchant.name}</bdi>
        {candidate.known_payer && <span className="chip">{t("bank-line.matching.known-payer")}</span>}
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">{t("bank-line.matching.part")}</span>
          </th>
          <th scope="col">{t("bank-line.matching.bank")}</th>
          <th scope="col">{t("bank-line.matching.transaction")}</th>
          <th scope="col" className="figure">
            {t("bank-line.field.score")}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t("bank-line.score.amount")}</th>
          <td className="figure">
            <Amount text={line.amount} />
          </td>
          <td className="figure">
            <Amount text={candidate.amount} />
          </td>
          <Points score={score} part="amount" />
        </tr>
        <tr>
          <th scope="row">{t("bank-line.score.reference")}</th>
          <Compared of={bankReference} />
          <Compared of={reference} />
          <Points score={score} part="reference" />
        </tr>
        <tr>
          <th scope="row">{t("bank-line.score.name")}</th>
          <Compared of={bankName} />
          <Compared of={name} />
          <Points score={score} part="name" />
        </tr>
        <tr>
          <th scope="row">{t("bank-line.score.time")}</th>
          <td>
            <Instant at={line.time} />
          </td>
          <td>
            <Instant at={candidate.created_at} />
          </td>
          <Points score={score} part="time" />
        </tr>
      </tbody>
    </table>
  );
}

function Points({ score, part }: { score: MatchScore; part: (typeof parts)[number] }) {
  return (
    <td className="figure">
      <bdi>
        {score[part]}/{most[part]}
      </bdi>
    </td>
  );
}

function Compared({ of }: { of: readonly Part[] }) {
  return (
    <td>
      <bdi className="compared">
        {of.map(({ text, same }, place) =>
          same ? (
            <span key={place} className="t3">
              {text}
            </span>
          ) : (
            <mark key={place}>{text}</mark>
          ),
        )}
      </bdi>
    </td>
  );
}
