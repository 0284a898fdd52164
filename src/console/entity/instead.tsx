import { CommandButton } from "../kit/command-button.tsx";
import { Icon, screenIcons } from "../kit/icon.tsx";
import { useText } from "../kit/texts.ts";
import type { Entity } from "./entity.ts";

/** Why there is no row: nothing matches, or nothing yet (keyboard.md 5). */
export function Empty({ entity, filtered }: { entity: Entity; filtered: boolean }) {
  const t = useText();
  if (filtered) {
    return (
      <div className="empty">
        <Icon name="filter" />
        <p className="strong">{t("record.empty.no-match")}</p>
        <CommandButton id={`${entity.subject}.drop-filter`} />
        <CommandButton id={`${entity.subject}.reset`} look="bare" />
      </div>
    );
  }
  return (
    <div className="empty">
      <Icon name={screenIcons[entity.screen]} />
      <p className="strong">{t("record.empty.none-yet")}</p>
      <CommandButton id={`${entity.subject}.create`} look="go" />
    </div>
  );
}
