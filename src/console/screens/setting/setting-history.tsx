import type { TenantSettingDetail } from "../../../contract/settings.ts";
import { Instant } from "../../api/instant.tsx";
import { AuditLink } from "../../lists/audit-link.tsx";
import { useText } from "../../kit/texts/texts.ts";
import type { text } from "../../kit/texts/texts.ts";
import { fieldLabel } from "./setting-fields.ts";

/** What was changed, by whom and when, newest first; each with what it was before. */
export function SettingHistory({ of, events }: { of: string; events: TenantSettingDetail["history"] }) {
  return (
    <>
      <AuditLink of={of} />
      <Events events={events} />
    </>
  );
}

function Events({ events }: { events: TenantSettingDetail["history"] }) {
  const t = useText();
  if (events.length === 0) return <p className="instead t2">{t("record.detail.no-history")}</p>;
  return (
    <ol className="history">
      {events.map(({ at, by, changes }) => (
        <li key={`${at} ${by}`} className="event">
          <div className="ln">
            <Instant at={at} />
            <bdi className="strong cut">{by}</bdi>
          </div>
          {Object.entries(changes).map(([part, { before, after }]) => (
            <div key={part} className="ln change">
              <span className="t2 part">{fieldLabel(t, part)}</span>
              <bdi className="t2 was">{written(t, part, before)}</bdi>
              <span className="t3 flip-x" aria-hidden="true">
                →
              </span>
              <span className="sr">{t("record.detail.became")}</span>
              <bdi>{written(t, part, after)}</bdi>
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** A part's value on one line, whatever its shape. */
function written(t: typeof text, part: string, value: unknown): string {
  if (value === null || value === undefined) return part === "withdrawal_expiry_hours" ? t("setting.never") : "–";
  if (typeof value === "boolean") return t(value ? "setting.switch.on" : "setting.switch.off");
  if (Array.isArray(value)) {
    return value
      .map((one: unknown) => {
        if (part === "languages") return fieldLabel(t, `languages.${String(one)}`);
        const { code, text: words } = one as { code: string; text: string | null }; // reasons are the only other list
        return words === null ? code : `${code} (${words})`;
      })
      .join(", ");
  }
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([key, inner]) => {
        if (typeof inner === "object" && inner !== null) return `${key} ${Object.values(inner).join(" / ")}`;
        return `${fieldLabel(t, `${part}.${key}`)}: ${written(t, part, inner)}`;
      })
      .join(", ");
  }
  return String(value);
}
