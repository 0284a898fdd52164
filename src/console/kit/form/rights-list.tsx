import { actionOf, byArea } from "./rights.ts";
import type { Rights } from "./rights.ts";
import { holds } from "./rights.ts";
import { actionWord, areaWord } from "./rights-words.ts";
import { permissions } from "../../../contract/permissions.ts";
import { useText } from "../texts/texts.ts";
import "./rights-list.css";

/** What is held, a line each area; what is held directly stands out from what comes from groups, which are named. */
export function RightsList({ rights }: { rights: Rights }) {
  const t = useText();
  const held = permissions.filter((one) => holds(rights, one));
  if (held.length === 0) return <p className="ln t3">{t("permission.list.none")}</p>;
  return (
    <dl className="rights-list">
      {byArea(held).map(({ area, all }) => (
        <div key={area}>
          <dt className="cut" title={area}>
            {areaWord(t, area)}
          </dt>
          <dd>
            {all.map((permission) => {
              const groups = rights.given.get(permission);
              return (
                <span
                  key={permission}
                  className={groups === undefined ? "direct" : undefined}
                  title={groups === undefined ? t("permission.direct") : t("permission.from", { groups: groups.join(", ") })}
                >
                  {actionWord(t, actionOf(permission))}
                </span>
              );
            })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
