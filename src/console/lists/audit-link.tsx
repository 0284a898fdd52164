import { useText } from "../kit/texts/texts.ts";
import { PlaceLink } from "./place-link.tsx";
import { useSees } from "./use-sees.ts";

/** Leads from a record's history to all that the audit log has of it, for who may see that. */
export function AuditLink({ of }: { readonly of: string }) {
  const t = useText();
  if (!useSees()("audit-log")) return null;
  return (
    <p className="ln">
      <PlaceLink screen="audit-log" to={{ search: { of, created_at: "2000-01-01.." } }}>
        {t("record.detail.audit")}
      </PlaceLink>
    </p>
  );
}
