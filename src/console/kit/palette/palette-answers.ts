import { rank } from "./palette-ranking.ts";
import type { PaletteQuestion } from "./palette-store.ts";
import { reasonText } from "../texts/texts.ts";
import type { text as textOf } from "../texts/texts.ts";

/** An answer to a question in the palette. */
export interface PageAnswer {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  /** Typed alone, this digit chooses the answer, as in the sheets. */
  readonly digit: string | null;
  /** Why it cannot be chosen. */
  readonly refused: string | null;
  /** The typed text itself is the answer. */
  readonly own: boolean;
}

/** Least score of a choice; below it, letters in order would match a preset with somebody's own words. */
const leastScore = 300;

const digitAt = (at: number): string | null => (at < 9 ? String(at + 1) : null);

/** Answers that match a text, best first. */
export function answersTo(question: PaletteQuestion["question"], typed: string, t: typeof textOf): PageAnswer[] {
  const text = typed.trim();
  if (question.kind === "text") {
    const why = question.asked.refuse?.(text) ?? null;
    const refused = why === null ? null : reasonText(t, why);
    return [{ id: "text", name: text === "" ? t("palette.ask.empty") : text, note: "", digit: null, refused, own: true }];
  }
  if (question.kind === "choice") {
    return matching(
      text,
      question.asked.options.map(({ id, label, note, refused }, at) => ({
        id,
        name: label,
        note,
        digit: digitAt(at),
        refused,
        own: false,
      })),
    );
  }
  const presets = question.asked.presets
    .filter(({ code }) => code !== "other")
    .slice(0, 9)
    .map(({ code, text: name }, at) => ({ id: code, name, note: "", digit: digitAt(at), refused: null, own: false }));
  const own = {
    id: "other",
    name: text === "" ? t("sheet.reason.other") : t("palette.ask.own", { text }),
    note: "",
    digit: null,
    refused: text === "" ? t("palette.ask.own-needed") : null,
    own: true,
  };
  return [...matching(text, presets), own];
}

function matching(text: string, answers: readonly PageAnswer[]): PageAnswer[] {
  const candidates = answers.map((answer) => ({
    id: answer.id,
    answer,
    name: answer.name,
    words: answer.note,
    codes: answer.digit === null ? [] : [answer.digit],
  }));
  return rank(text, candidates)
    .filter(({ score }) => text === "" || score >= leastScore)
    .map(({ candidate }) => candidate.answer);
}
