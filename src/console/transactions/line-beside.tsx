import type { ReactNode } from "react";
import type { BankLine, MatchScore } from "../../contract/bank-transactions.ts";
import { Instant } from "../api/instant.tsx";
import { Amount } from "../kit/look/amount.tsx";
import { useText } from "../kit/texts/texts.ts";
import { aligned } from "./differences.ts";
import type { ScorePart } from "./match-score.tsx";
import { mostPoints } from "./match-score.tsx";

/** What of a transaction a bank's line is held against. */
interface Proved {
  readonly txn_no: string;
  readonly reference_no: string | null;
  readonly name: string;
  readonly amount: string;
  readonly created_at: string;
}

interface LineBesideProps {
  readonly line: BankLine;
  readonly transaction: Proved;
  /** null: not judged. */
  readonly score: MatchScore | null;
  /** One of several that are the line's amount only together: amounts are not compared. */
  readonly inSet?: boolean;
}

/** A bank's line above a transaction, part by part: what both say stands dim in one column, what differs is lit. */
export function LineBeside({ line, transaction, score, inSet = false }: LineBesideProps) {
  const t = useText();
  const [written, number] = writtenNumber(line, transaction);
  return (
    <div className="beside" role="group" aria-label={t("transaction.beside.label")}>
      {!inSet && (
        <Part name="amount" score={score}>
          <Above
            bank={<Amount text={line.amount} />}
            own={<Amount text={transaction.amount} />}
            same={line.amount === transaction.amount}
          />
        </Part>
      )}
      <Part name="reference" score={score}>
        <Aligned bank={written} own={number} mono />
      </Part>
      <Part name="name" score={score}>
        <Aligned bank={line.counterparty ?? line.description} own={transaction.name} />
      </Part>
      <Part name="time" score={score}>
        <Above bank={<Instant at={line.time} />} own={<Instant at={transaction.created_at} />} same={false} />
      </Part>
    </div>
  );
}

/** Letters of the bank's text that are shown before the number it names, at most, whole words of them. */
const lead = 12;

/** The bank's text that names the transaction by one of its numbers, and that number; where none does, all its text and the payment's. */
function writtenNumber({ reference, description }: BankLine, { txn_no, reference_no }: Proved): readonly [written: string, number: string] {
  const texts = [description, reference ?? ""].filter((text) => text !== "");
  for (const number of [txn_no, reference_no ?? txn_no]) {
    const naming = texts.find((text) => text.includes(number));
    if (naming === undefined) continue;
    const at = naming.indexOf(number);
    const before = at <= lead ? naming.slice(0, at) : `…${naming.slice(at - lead, at).replace(/^\S*/u, "")}`;
    return [before + naming.slice(at), number];
  }
  return [texts.join(" "), reference_no ?? txn_no];
}

function Part({ name, score, children }: { name: ScorePart; score: MatchScore | null; children: ReactNode }) {
  const t = useText();
  return (
    <>
      <span className="t3">{t(`transaction.score.${name}`)}</span>
      {children}
      <span className="figure t2">
        {score !== null && (
          <bdi>
            {score[name]}/{mostPoints[name]}
          </bdi>
        )}
      </span>
    </>
  );
}

/** Two values as they are, the bank's above. */
function Above({ bank, own, same }: { bank: ReactNode; own: ReactNode; same: boolean }) {
  return (
    <div className={same ? "above t3" : "above"}>
      <div>{bank}</div>
      <div>{own}</div>
    </div>
  );
}

/** Two texts, the bank's above; whoever cannot see the columns is told one after the other. */
function Aligned({ bank, own, mono = false }: { bank: string; own: string; mono?: boolean }) {
  const t = useText();
  const found = aligned(bank, own);
  // where nothing is equal there is nothing to stand in one column
  const columns = found.some(({ same }) => same) ? found : [{ above: bank, below: own, same: false }];
  return (
    <div className={mono ? "aligned mono" : "aligned"}>
      <span className="sr">
        {t("transaction.beside.bank")}: <bdi>{bank}</bdi>; {t("transaction.beside.own")}: <bdi>{own}</bdi>
      </span>
      <bdi aria-hidden="true">
        {columns.map(({ above, below, same }, place) => (
          <span key={place} className={same ? "col t3" : "col"}>
            {same ? <span>{above}</span> : <mark>{above}</mark>}
            {same ? <span>{below}</span> : <mark>{below}</mark>}
          </span>
        ))}
      </bdi>
    </div>
  );
}
