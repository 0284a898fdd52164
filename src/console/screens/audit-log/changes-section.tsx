import { useStore as useSession } from "zustand";
import type { AuditEntryDetail } from "../../../contract/audit-log.ts";
import { useApi, useFormats } from "../../api/use-api.ts";
import { changedText } from "../../entity/changed-text.ts";
import { useText } from "../../kit/texts/texts.ts";
import { changedName, changedWord, decimalsOf } from "./change-words.ts";

/** A list by what it lost and gained. */
function differing(before: unknown, after: unknown): readonly [unknown, unknown] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [before, after];
  return [before.filter((one) => !after.includes(one)), after.filter((one) => !before.includes(one))];
}

/** What an act changed: each field as it was and as it became. */
export function ChangesSection({ detail: { row, changes } }: { readonly detail: AuditEntryDetail }) {
  const t = useText();
  const formats = useFormats();
  const currencies = useSession(useApi().session.store, ({ at }) => at?.config.currencies);
  if (changes === null) return <p className="ln t3">{t("audit-entry.changes.not-yours")}</p>;
  if (changes.length === 0) return <p className="ln t3">{t("audit-entry.changes.none")}</p>;
  const decimals = decimalsOf(changes, currencies ?? []);
  // the fields of whatever it tells of are called as their own screen calls them
  const named = { subject: row.entity as never, form: { fields: [] } };
  return changes.map(({ field, before, after }) => {
    const [was, now] = differing(before, after);
    const key = changedName(row.entity, field);
    const shown = (value: unknown) => {
      const word = changedWord(field, value);
      return word === undefined ? changedText(named, field, value, { ...formats, decimals }) : t(word);
    };
    return (
      <div key={field} className="ln change">
        <span className="t2 cut" title={field}>
          {key === undefined ? field : t(key)}
        </span>
        <bdi className="t3 cut">{shown(was)}</bdi>
        <span className="t3 flip-x" aria-hidden="true">
          →
        </span>
        <span className="sr">{t("record.detail.became")}</span>
        <bdi className="cut">{shown(now)}</bdi>
      </div>
    );
  });
}
