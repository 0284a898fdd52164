import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { ReadFailed } from "../../kit/look/read-failed.tsx";

interface ReadSheetProps {
  readonly title: string;
  readonly read: { readonly isError: boolean; refetch(): unknown };
  onClose(): void;
}

/** A sheet whose contents are still on their way, or did not come. */
export function ReadSheet({ title, read, onClose }: ReadSheetProps) {
  return (
    <SheetFrame wide dialog={{ name: "form", aimless: true, acts: { close: onClose, toggle: () => undefined } }} title={title}>
      <ReadState read={read} />
    </SheetFrame>
  );
}

/** Within a sheet: it is being read, or that failed and can be tried again. */
export function ReadState({ read: { isError, refetch } }: Pick<ReadSheetProps, "read">) {
  const t = useText();
  if (!isError) return <p className="t3">{t("bank-line.sheet.reading")}</p>;
  return <ReadFailed retry={refetch}>{t("bank-line.sheet.failed")}</ReadFailed>;
}
