import { useRef } from "react";
import { useStore } from "zustand";
import { Instant } from "../../api/instant.tsx";
import { useApi } from "../../api/use-api.ts";
import { agentName } from "../../identity/agent-name.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";

/**
 * Why one has to sign in again, when that came about, and by whom or from where; nothing where one had signed out oneself. It
 * stays through all steps and over a reload, until one is in or has closed it.
 */
export function EndedNote() {
  const t = useText();
  const { session } = useApi();
  const ended = useStore(session.store, (state) => state.ended);
  const note = useRef<HTMLDivElement>(null);
  if (ended === null) return null;
  const close = () => {
    // the button goes, and would take the focus with it
    note.current?.closest("main")?.querySelector<HTMLElement>("input:not([readonly], [disabled])")?.focus();
    session.readEnding();
  };
  return (
    <div ref={note} className="ended" role="alert">
      <Icon name="warn" size="s" />
      <p>{t(`login.ended.${ended.why}`)}</p>
      {"at" in ended && (
        <p className="t2">
          <Instant at={ended.at} />
          {ended.by !== null && <bdi>{t("login.ended.by", { name: ended.by })}</bdi>}
          {ended.agent !== null && <bdi>{agentName(ended.agent) ?? t("profile.session.unknown")}</bdi>}
          {ended.ip !== null && <bdi className="mono">{ended.ip}</bdi>}
        </p>
      )}
      <button type="button" className="ended-close" aria-label={t("sheet.close")} onClick={close}>
        <Icon name="close" size="xs" />
      </button>
    </div>
  );
}
