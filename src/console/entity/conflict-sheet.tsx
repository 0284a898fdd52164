import { useId, useRef } from "react";
import { useFormats } from "../api/use-api.ts";
import { KeyCap } from "../kit/key-cap.tsx";
import { SheetButtons, SheetFrame } from "../kit/sheet-frame.tsx";
import { useText } from "../kit/texts.ts";
import type { Conflict, Difference, Side } from "./conflict.ts";
import { choiceKey, labelKey } from "./entity.ts";
import type { EntityFormProps } from "./entity-form.tsx";
import type { FormSession } from "./form-session.ts";
import { none } from "./shown.ts";

const sides = ["mine", "theirs"] as const satisfies readonly Side[];

/** The two sides of a record. */
export function ConflictSheet({ entity, form: { session, row }, conflict, onSave, onLeave }: EntityFormProps & { conflict: Conflict }) {
  const t = useText();
  return (
    <ConflictSides
      title={t("record.conflict.title", { name: row === null ? "" : entity.titleOf(row) })}
      session={session}
      conflict={conflict}
      labelOf={(name) => t(labelKey(entity, name))}
      written={(name, value) => {
        if (value === "") return none;
        const key = choiceKey(entity, name, value);
        return key === null ? value : t(key);
      }}
      onSave={onSave}
      onLeave={onLeave}
    />
  );
}

export interface ConflictSidesProps {
  readonly title: string;
  readonly session: FormSession;
  readonly conflict: Conflict;
  labelOf(name: string): string;
  /** A value in the operator's words. */
  written(name: string, value: string): string;
  onSave(): void;
  onLeave(): void;
}

/** What was typed beside what another saved meanwhile: 1 and 2 take a whole side, arrows choose field by field. */
export function ConflictSides({ title, session, conflict, labelOf, written, onSave, onLeave }: ConflictSidesProps) {
  const t = useText();
  const formats = useFormats();
  const first = useRef<HTMLInputElement>(null);
  const { by, differences } = conflict;
  const back = (): void => session.settle();
  return (
    <SheetFrame
      wide
      urgent
      first={first}
      dialog={{
        name: "choice",
        acts: {
          "choose-1": () => session.take("mine"),
          "choose-2": () => session.take("theirs"),
          confirm: onSave,
          back,
          close: onLeave,
          toggle: () => undefined,
        },
      }}
      title={title}
      foot={
        <>
          <button type="button" className="btn bare" onClick={back}>
            {t("record.conflict.back")}
            <KeyCap chord="Backspace" />
          </button>
          <span className="grow" />
          <SheetButtons label={t("record.conflict.save")} chord="$mod+Enter" onConfirm={onSave} onCancel={onLeave} />
        </>
      }
    >
      <p>{by === null ? t("record.conflict.by-another") : t("record.conflict.by", { name: by.name, time: formats.time(by.at) })}</p>
      <div className="conflict">
        <div className="heads">
          <span className="label">{t("record.conflict.field")}</span>
          {sides.map((side, at) => (
            <button key={side} type="button" className="btn bare" onClick={() => session.take(side)}>
              {t(`record.conflict.${side}`)}
              <KeyCap chord={String(at + 1)} />
            </button>
          ))}
        </div>
        {differences.map((difference, at) => (
          <Row
            key={difference.name}
            label={labelOf(difference.name)}
            difference={difference}
            written={(value) => written(difference.name, value)}
            inputRef={at === 0 ? first : null}
            onTake={(side) => session.take(side, difference.name)}
          />
        ))}
      </div>
    </SheetFrame>
  );
}

interface RowProps {
  readonly label: string;
  readonly difference: Difference;
  written(value: string): string;
  readonly inputRef: { current: HTMLInputElement | null } | null;
  onTake(side: Side): void;
}

function Row({ label, difference, written, inputRef, onTake }: RowProps) {
  const t = useText();
  const group = useId();
  const { take } = difference;
  return (
    <div role="radiogroup" aria-labelledby={`${group}-name`} className="difference">
      <span id={`${group}-name`}>{label}</span>
      {sides.map((side) => (
        <label key={side} className={side === take ? "option on" : "option"}>
          <input
            ref={(element) => {
              if (side === take && inputRef !== null) inputRef.current = element;
            }}
            type="radio"
            name={group}
            checked={side === take}
            onChange={() => onTake(side)}
          />
          <span className="sr">{t(`record.conflict.${side}`)}</span>
          <bdi>{written(difference[side])}</bdi>
        </label>
      ))}
    </div>
  );
}
