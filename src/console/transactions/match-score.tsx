import type { MatchScore } from "../../contract/bank-transactions.ts";
import { useText } from "../kit/texts/texts.ts";
import "./matching.css";

export const scoreParts = ["amount", "reference", "name", "time"] as const;
export type ScorePart = (typeof scoreParts)[number];

/** The points a part can have: together a hundred. */
export const mostPoints = { amount: 35, reference: 30, name: 20, time: 15 } as const satisfies Record<ScorePart, number>;

/** Each part is fainter than the one before. */
const shadeOf = { amount: undefined, reference: "of-reference", name: "of-name", time: "of-time" } as const;

/** The four parts of a score, each as long as its points. */
export function ScoreBar({ score }: { score: MatchScore }) {
  const t = useText();
  const told = scoreParts.map((part) => `${t(`transaction.score.${part}`)} ${score[part]}/${mostPoints[part]}`).join(", ");
  return (
    <span className="points" role="img" aria-label={told} title={told}>
      {scoreParts.map((part) => (
        <i key={part} className={shadeOf[part]} style={{ "--v": `${score[part]}%` }} />
      ))}
    </span>
  );
}

/** What the shades of the bars mean, and how many points each can have. */
export function ScoreLegend() {
  const t = useText();
  return (
    <p className="points-legend">
      {scoreParts.map((part) => (
        <span key={part}>
          <i className={shadeOf[part]} />
          {t(`transaction.score.${part}`)} <bdi>{mostPoints[part]}</bdi>
        </span>
      ))}
    </p>
  );
}
