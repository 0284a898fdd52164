import { useSyncExternalStore } from "react";
import { SheetButtons } from "../sheets/sheet-frame.tsx";
import { useText } from "../texts/texts.ts";
import type { FormSession } from "./session.ts";

interface FormButtonsProps {
  readonly session: FormSession;
  readonly chord: string;
  /** null: leaving has no key of its own. */
  readonly leaveChord: string | null;
  /** What the saving button says; by default Save. */
  readonly act?: string;
  /** Left out: the button submits the form it stands in. */
  readonly onSave?: () => void;
  onLeave(): void;
}

/** What a form ends with: how it stands, the way out, and saving with its key; while it is being saved it says so and is not saved again. */
export function FormButtons({ session, chord, leaveChord, act, onSave, onLeave }: FormButtonsProps) {
  const t = useText();
  const { saving } = useSyncExternalStore(session.subscribe, session.getState);
  return (
    <>
      <span className="label grow">{saving ? t("record.form.saving") : t("record.form.required")}</span>
      <SheetButtons
        label={act ?? t("sheet.save")}
        chord={chord}
        cancelChord={leaveChord}
        onConfirm={onSave}
        onCancel={onLeave}
        refused={saving ? t("record.form.saving") : null}
      />
    </>
  );
}
