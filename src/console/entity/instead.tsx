import { CommandButton } from "../kit/look/command-button.tsx";
import { Icon, screenIcons } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";
import type { Filters } from "../lists/filters.ts";
import { WidenButton } from "../lists/widen-button.tsx";
import type { Entity } from "./entity.ts";
import { createKey, viewKey } from "./entity.ts";

const isSame = (search: Filters, filters: Filters): boolean =>
  Object.keys(search).length === Object.keys(filters).length && Object.entries(search).every(([name, text]) => filters[name] === text);

/** Why there is no row: nothing matches, nothing is in a view that came with the screen, or nothing yet. */
export function Empty({ entity, filters, onFilters }: { entity: Entity; filters: Filters; onFilters: (filters: Filters) => void }) {
  const t = useText();
  if (Object.keys(filters).length > 0) {
    const { window } = entity;
    const times = entity.filters
      .filter(({ as, field }) => as === "time" && field !== window?.field && filters[field] !== undefined)
      .map(({ field }) => field);
    const view = entity.views?.find(({ search }) => isSame(search, filters)); // nobody has filtered, who has opened a view
    const others = Object.fromEntries(Object.entries(filters).filter(([name]) => !times.includes(name)));
    return (
      <div className="empty">
        <Icon name="filter" />
        <p className="strong">{view ? t("record.empty.view", { view: t(viewKey(entity, view.id)) }) : t("record.empty.no-match")}</p>
        {times.length > 0 && <WidenButton onWiden={() => onFilters(others)} />}
        <CommandButton id="list.window" />
        <CommandButton id="list.drop-filter" />
        <CommandButton id="list.reset" look="bare" />
      </div>
    );
  }
  return (
    <div className="empty">
      <Icon name={screenIcons[entity.screen]} />
      <p className="strong">{t("record.empty.none-yet")}</p>
      {(entity.madeBy ?? entity.routes.create) && (
        <CommandButton id="record.create" look="go">
          {t(createKey(entity))}
        </CommandButton>
      )}
    </div>
  );
}
