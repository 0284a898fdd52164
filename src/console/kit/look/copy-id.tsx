import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";

/** Copies the id of a failed request, for support. */
export function CopyId({ id }: { id: string | null }) {
  const t = useText();
  const { services } = useKit();
  if (id === null) return null;
  return (
    <button type="button" className="copy-id" title={id} onClick={() => void services.copy(id)}>
      {t("message.copy-id")}
    </button>
  );
}
