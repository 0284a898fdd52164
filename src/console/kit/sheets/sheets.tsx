import type { OpenQuestion } from "./questions.ts";
import { AmountSheet } from "./amount-sheet.tsx";
import { BulkSheet } from "./bulk-sheet.tsx";
import { ChoiceSheet } from "./choice-sheet.tsx";
import { ConfirmSheet } from "./confirm-sheet.tsx";
import { MoneySheet } from "./money-sheet.tsx";
import { PreviewSheet } from "./preview-sheet.tsx";
import { ReasonSheet } from "./reason-sheet.tsx";
import { SecretSheet } from "./secret-sheet.tsx";
import { TextSheet } from "./text-sheet.tsx";
import { useKit, useStore } from "../use-kit.ts";

function Sheet({ question }: { question: OpenQuestion }) {
  switch (question.kind) {
    case "reason":
      return <ReasonSheet asked={question.asked} answer={question.answer} />;
    case "money":
      return <MoneySheet asked={question.asked} answer={question.answer} />;
    case "amount":
      return <AmountSheet asked={question.asked} answer={question.answer} />;
    case "choice":
      return <ChoiceSheet asked={question.asked} answer={question.answer} />;
    case "bulk":
      return <BulkSheet asked={question.asked} answer={question.answer} />;
    case "confirm":
      return <ConfirmSheet asked={question.asked} answer={question.answer} />;
    case "preview":
      return <PreviewSheet asked={question.asked} answer={question.answer} />;
    case "secret":
      return <SecretSheet asked={question.asked} answer={question.answer} />;
    case "text":
      return <TextSheet asked={question.asked} answer={question.answer} />;
  }
}

/** Draws the open questions, the newest on top. */
export function Sheets() {
  const questions = useStore(useKit().questions);
  return questions.map((question) => <Sheet key={question.id} question={question} />);
}
