import type { AuditEntryDetail } from "../../../contract/audit-log.ts";
import { useText } from "../../kit/texts/texts.ts";

/** Says why an entry leads nowhere, where it does not. */
export function NoPlace({ detail: { row, changes } }: { readonly detail: AuditEntryDetail }) {
  const t = useText();
  if (row.screen !== null) return null;
  const why = row.of === null ? "none" : changes === null ? "not-yours" : "gone";
  return <p className="ln t3">{t(`audit-entry.no-place.${why}`)}</p>;
}
