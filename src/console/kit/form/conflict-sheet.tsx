import { useId, useRef } from "react";
import { KeyCap } from "../keys/key-cap.tsx";
import { SheetButtons, SheetFrame } from "../sheets/sheet-frame.tsx";
import { useText } from "../texts/texts.ts";
import type { Conflict, Difference, Side } from "./conflict.ts";
import type { FormSession } from "./session.ts";

const sides = ["mine", "theirs"] as const satisfies readonly Side[];

export interface ConflictSidesProps {
  readonly title: string;
  readonly session: FormSession;
  readonly conflict: Conflict;
  labelOf(name: string): string;
  /** A time as times are written. */
  time(at: string): string;
  /** A value in the operator's words. */
  written(name: string, value: string): string;
  onSave(): void;
  onLeave(): void;
}

/** What was typed beside what another saved meanwhile: 1 and 2 take a whole side, arrows choose field by field. */
export function ConflictSides({ title, session, conflict, labelOf, time, written, onSave, onLeave }: ConflictSidesProps) {
  const t = useText();
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
      <p>{by === null ? t("record.conflict.by-another") : t("record.conflict.by", { name: by.name, time: time(by.at) })}</p>
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
