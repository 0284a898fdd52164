import { useText } from "../kit/texts/texts.ts";

/** Takes the times off that leave a list without a row. */
export function WidenButton({ onWiden }: { onWiden: () => void }) {
  const t = useText();
  return (
    <button type="button" className="btn" onClick={onWiden}>
      {t("record.empty.widen")}
    </button>
  );
}
