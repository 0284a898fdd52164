import { useRef } from "react";
import type { DialogAct } from "../commands/context.ts";
import { KeyCap } from "../keys/key-cap.tsx";
import { answersTo } from "./palette-answers.ts";
import type { PageAnswer } from "./palette-answers.ts";
import { FootKeys, PaletteFrame, useSelectedRow } from "./palette-frame.tsx";
import { PaletteRow } from "./palette-row.tsx";
import type { PaletteQuestion } from "./palette-store.ts";
import { useText } from "../texts/texts.ts";
import { usePaletteDialog } from "./palette-dialog.ts";
import { useKit, useStore } from "../use-kit.ts";

/** A question of a command started in the palette: a list, or a line of free text. Enter confirms. */
export function PaletteAsk({ page }: { page: PaletteQuestion }) {
  const t = useText();
  const { palette, messages } = useKit();
  const { text } = useStore(palette);
  const input = useRef<HTMLInputElement>(null);
  const { question } = page;
  const title = t(question.asked.title, question.asked.words);
  const answers = answersTo(question, text, t);
  const [selected, setSelected] = useSelectedRow(
    answers.map(({ id }) => id),
    text,
  );

  const close = (): void => palette.close();
  const back = (): void => page.back(text);
  function take(answer: PageAnswer | undefined): void {
    if (answer === undefined) return;
    if (answer.refused !== null) return messages.say(answer.refused, "warn");
    release();
    page.answer({ id: answer.id, text: text.trim() });
  }
  const acts: Partial<Record<DialogAct, () => void>> = {
    close: back,
    toggle: close,
    confirm: () => take(answers.find(({ id }) => id === selected) ?? answers[0]),
    ...(text === "" ? { back } : {}),
  };
  const release = usePaletteDialog(acts, input);

  return (
    <PaletteFrame
      label={title}
      placeholder={t(
        question.kind === "text" ? (question.asked.hint ?? question.asked.label ?? "palette.ask.text") : `palette.ask.${question.kind}`,
      )}
      input={input}
      text={text}
      longest={question.kind === "text" ? question.asked.maximum : 500}
      head={<p className="asked">{title}</p>}
      selected={selected}
      onText={palette.setText}
      onSelected={setSelected}
      onLeave={close}
      foot={
        <>
          {answers.length > 1 && <FootKeys chords={["ArrowUp", "ArrowDown"]}>{t("hint.move")}</FootKeys>}
          <FootKeys chords={["Enter"]}>{t("hint.accept")}</FootKeys>
          <FootKeys chords={["Backspace"]}>{t("hint.back")}</FootKeys>
        </>
      }
      notes={answers.length === 0 && <p className="none">{t("palette.empty", { text: text.trim() })}</p>}
    >
      {answers.map((answer) => (
        <PaletteRow
          key={answer.id}
          id={answer.id}
          name={answer.name}
          text={answer.own ? "" : text}
          icon={answer.own ? "keys" : "right"}
          note={answer.refused ?? answer.note}
          end={answer.digit === null ? undefined : <KeyCap chord={answer.digit} />}
          refused={answer.refused !== null && !answer.own}
          onSelect={() => take(answer)}
        />
      ))}
    </PaletteFrame>
  );
}
