import "./own-keys.css";
import { useCallback, useEffect } from "react";
import { createPortal } from "react-dom";
import { isAllowed } from "../../contract/permissions.ts";
import type { Permission } from "../../contract/permissions.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { KeyCap } from "../kit/keys/key-cap.tsx";
import { commandName, useText } from "../kit/texts/texts.ts";
import { useContextState, useEscape, useKit, useStore } from "../kit/use-kit.ts";
import type { Coach } from "./coach.ts";

/** ms a hint stays. */
const staysFor = 15_000;

/** On the status bar: the key of a command that was just clicked for the third time, or for a new user the practice queue. */
export function CoachHint({ coach }: { coach: Coach }) {
  const { id } = useStore(coach);
  const place = useStore(useKit().offers);
  return place === null ? null : createPortal(id === null ? <PracticeOffer coach={coach} /> : <KeyHint coach={coach} />, place);
}

/** Who may approve is offered the practice queue. */
const practised: Permission = "pas.transaction.withdrawals.approve";

/** Offers the practice queue until the user takes or refuses it; it does not take the focus. */
function PracticeOffer({ coach }: { coach: Coach }) {
  const t = useText();
  const { keepFocus } = useKit();
  const { permissions, user, dialogs } = useContextState();
  useStore(coach.kept);
  if (user === null || !isAllowed(permissions, practised) || dialogs.length > 0 || !coach.offersPractice()) return null;
  return (
    <aside className="practice-offer" data-gives-way="" aria-label={t("practice.title")} data-overlay="">
      <span title={t("practice.offer")}>{t("practice.offer")}</span>
      <CommandButton id="keys.practice">{t("practice.offer.take")}</CommandButton>
      <button
        type="button"
        className="btn bare"
        onClick={() => {
          coach.refusePractice();
          keepFocus();
        }}
      >
        {t("practice.offer.refuse")}
      </button>
    </aside>
  );
}

function KeyHint({ coach }: { coach: Coach }) {
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
