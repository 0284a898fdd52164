import type { ReactNode } from "react";
import { useRef, useState } from "react";
import type { z } from "zod";
import type { Linked } from "../../contract/controls.ts";
import { refusalOf } from "../api/refusal.ts";
import { bodyForm } from "../kit/form/body-form.ts";
import { FormBody } from "../kit/form/form-body.tsx";
import { FormButtons } from "../kit/form/form-buttons.tsx";
import { useHeldForm } from "../kit/form/leaving.ts";
import type { FormWords } from "../kit/form/rules.ts";
import { ruleSayer } from "../kit/form/rules.ts";
import type { FormSession } from "../kit/form/session.ts";
import { discardQuestion } from "../kit/sheets/questions.ts";
import { SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { text } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";

interface NewRecordProps {
  readonly title: string;
  readonly schema: z.ZodType;
  readonly words: FormWords;
  /** Each with its fields, in order; a field no group names is not written by hand. */
  readonly groups: readonly { readonly title: string; readonly fields: readonly string[] }[];
  /** What the fields begin with. */
  readonly values?: Readonly<Record<string, string>>;
  /** Fields that are given with what the form was opened for, and not drawn. */
  readonly given?: Readonly<Record<string, string>>;
  /** What the records are called that the fields begin with. */
  readonly linked?: readonly Linked[];
  /** What the button that makes it says. */
  readonly act?: string;
  /** Drawn beside the fields, of what is typed. */
  beside?(session: FormSession): ReactNode;
  send(body: Readonly<Record<string, unknown>>, idempotencyKey: string): Promise<void>;
  /** It was sent, or is left. */
  onLeave(): void;
}

/** The form of a transaction made by hand; what was typed is not lost unasked. */
export function NewRecord(props: NewRecordProps) {
  const { title, schema, words, groups, values = {}, given = {}, linked = [], act, beside, send, onLeave } = props;
  const { services } = useKit();
  const first = useRef<HTMLElement>(null);
  const [{ fields, session }] = useState(() => {
    const say = ruleSayer(text, words.hint);
    const form = bodyForm({ schema, values, given, isNew: true, say, labelOf: words.label, refusalOf, send });
    form.session.linked.take(linked);
    return form;
  });
  useHeldForm(session);
  const save = async (): Promise<void> => {
    if ((await session.save()) !== "open") onLeave();
  };
  const leave = async (): Promise<void> => {
    if (session.getState().saving) return;
    if (session.isChanged && (await services.ask("confirm", discardQuestion)) !== true) return;
    onLeave();
  };
  return (
    <SheetFrame
      wide
      first={first}
      dialog={{
        name: "form",
        aimless: linked.length === 0,
        acts: { confirm: () => void save(), close: () => void leave(), toggle: () => undefined },
      }}
      title={title}
      foot={
        <FormButtons
          session={session}
          chord="$mod+Enter"
          leaveChord="Escape"
          {...(act !== undefined && { act })}
          onSave={() => void save()}
          onLeave={() => void leave()}
        />
      }
    >
      <div className={beside === undefined ? undefined : "form-and-beside"}>
        <FormBody
          session={session}
          groups={groups
            .map((group) => ({ title: group.title, fields: fields.filter(({ name }) => group.fields.includes(name)) }))
            .filter((group) => group.fields.length > 0)}
          words={words}
          first={first}
        />
        {beside?.(session)}
      </div>
    </SheetFrame>
  );
}
