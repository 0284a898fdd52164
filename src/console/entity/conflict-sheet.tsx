import { useId, useRef } from "react";
import { useFormats } from "../api/use-api.ts";
import { KeyCap } from "../kit/key-cap.tsx";
import { SheetButtons, SheetFrame } from "../kit/sheet-frame.tsx";
import { useText } from "../kit/texts.ts";
import type { Conflict, Difference, Side } from "./conflict.ts";
import type { Entity } from "./entity.ts";
import { choiceKey, labelKey } from "./entity.ts";
import type { EntityFormProps } from "./entity-form.tsx";
import { none } from "./shown.ts";

const sides = ["mine", "theirs"] as const satisfies readonly Side[];

/** What was typed beside what another saved meanwhile: 1 and 2 take a whole side, arrows choose field by field. */
export function ConflictSheet({ entity, form: { session, row }, conflict, onSave, onLeave }: EntityFormProps & { conflict: Conflict }) {
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
      title={t("record.conflict.title", { name: row === null ? "" : entity.titleOf(row) })}
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
            entity={entity}
            difference={difference}
            inputRef={at === 0 ? first : null}
            onTake={(side) => session.take(side, difference.name)}
          />
        ))}
      </div>
    </SheetFrame>
  );
}

interface RowProps {
  readonly entity: Entity;
  readonly difference: Difference;
  readonly inputRef: { current: HTMLInputElement | null } | null;
  onTake(side: Side): void;
}

function Row({ entity, difference, inputRef, onTake }: RowProps) {
  const t = useText();
  const group = useId();
  const { name, take } = difference;
  const written = (value: string): string => {
    if (value === "") return none;
    const key = choiceKey(entity, name, value);
    return key === null ? value : t(key);
  };
  return (
    <div role="radiogroup" aria-labelledby={`${group}-name`} className="difference">
      <span id={`${group}-name`}>{t(labelKey(entity, name))}</span>
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
