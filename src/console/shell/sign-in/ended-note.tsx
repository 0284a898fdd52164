import { useStore } from "zustand";
import { Instant } from "../../api/instant.tsx";
import { useApi } from "../../api/use-api.ts";
import { agentName } from "../../identity/agent-name.ts";
import { Icon } from "../../kit/icon.tsx";
import { useText } from "../../kit/texts.ts";

/** Why one has to sign in again, when that came about, and by whom or from where; nothing where one had signed out oneself. */
export function EndedNote() {
  const t = useText();
  const ended = useStore(useApi().session.store, (state) => state.ended);
  if (ended === null) return null;
  return (
    <div className="ended" role="alert">
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
    </div>
  );
}
