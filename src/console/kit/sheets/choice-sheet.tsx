import { useId, useRef, useState } from "react";
import type { DialogAct } from "../commands/context.ts";
import { KeyCap } from "../keys/key-cap.tsx";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import type { SheetProps } from "./sheet-props.ts";

/** A digit chooses an option at once, or only selects it where money moves; arrows select. An unfit option is shown with its reason. */
export function ChoiceSheet({ asked, answer }: SheetProps<"choice">) {
  const t = useText();
  const { messages } = useKit();
  const group = useId();
  const fit = asked.options.find((option) => option.refused === null);
  const [chosen, setChosen] = useState(asked.initial ?? fit?.id ?? null);
  const first = useRef<HTMLInputElement>(null);

  const cancel = (): void => answer(null);
  const accept = (): void => {
    if (chosen !== null) answer(chosen);
  };
  const money = asked.money === true;
  const take = money ? setChosen : answer;
  const acts: Partial<Record<DialogAct, () => void>> = {};
  asked.options.slice(0, 9).forEach((option, at) => {
    acts[`choose-${at + 1}`] = () => (option.refused === null ? take(option.id) : messages.say(option.refused, "warn"));
  });

  return (
    <SheetFrame
      wide
      dialog={{
        name: "choice",
        aimless: asked.aimless === true,
        acts: { ...acts, ...(!money && { accept }), confirm: accept, close: cancel, toggle: () => undefined },
        ...(money && { deafToEnter: true }),
      }}
      title={t(asked.title, asked.words)}
      {...(fit === undefined ? {} : { first })}
      foot={
        <SheetButtons
          label={t("sheet.confirm")}
          chord={money ? "$mod+Enter" : "Enter"}
          onConfirm={accept}
          onCancel={cancel}
          refused={chosen === null ? t("sheet.choice.none") : null}
        />
      }
    >
      {asked.options.length === 0 && <p className="t2">{t("sheet.choice.none")}</p>}
      <div role="radiogroup" aria-label={t("sheet.choice.label")} className="options">
        {asked.options.map((option, at) => (
          <label key={option.id} className={option.refused !== null ? "option off" : option.id === chosen ? "option on" : "option"}>
            <input
              ref={option.id === (asked.initial ?? fit?.id) ? first : null}
              type="radio"
              name={group}
              checked={option.id === chosen}
              disabled={option.refused !== null}
              onChange={() => setChosen(option.id)}
            />
            {at < 9 && <KeyCap chord={String(at + 1)} />}
            <span className="nm">{option.label}</span>
            <span className="grow t2">{option.note}</span>
            {option.refused !== null && <span className="fail">{option.refused}</span>}
          </label>
        ))}
      </div>
    </SheetFrame>
  );
}
