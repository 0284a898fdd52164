import { useCallback, useEffect } from "react";
import { KeyCap } from "../kit/key-cap.tsx";
import { commandName, useText } from "../kit/texts.ts";
import { useEscape, useKit, useStore } from "../kit/use-kit.ts";
import type { Coach } from "./coach.ts";

/** ms a hint stays. */
const staysFor = 15_000;

/** Above the status bar: the key of what was just clicked for the third time. */
export function CoachHint({ coach }: { coach: Coach }) {
  const t = useText();
  const { registry, keepFocus } = useKit();
  const { id } = useStore(coach);
  const chord = id === null ? undefined : registry.get(id)?.keys?.[0];
  useEscape(
    "tooltip",
    useCallback(() => {
      if (coach.getState().id === null) return false;
      coach.dismiss();
      return true;
    }, [coach]),
  );
  useEffect(() => {
    if (id === null) return undefined;
    const timer = setTimeout(coach.dismiss, staysFor);
    return () => clearTimeout(timer);
  }, [id, coach]);
  if (id === null || chord === undefined) return null;
  const leave = (act: () => void) => (): void => {
    act();
    keepFocus();
  };
  return (
    <div className="coach" role="status" data-overlay="">
      <span>
        {t("coach.key", { name: commandName(t, id) })} <KeyCap chord={chord} />
      </span>
      <button type="button" className="btn bare" onClick={leave(coach.dismiss)}>
        {t("coach.dismiss")}
      </button>
      <button type="button" className="btn bare" onClick={leave(() => coach.setOn(false))}>
        {t("coach.off")}
      </button>
    </div>
  );
}
