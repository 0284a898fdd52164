import type { ClipboardEvent, DragEvent, ReactNode } from "react";
import type { Given } from "../kit/form/pasted-table.ts";
import { givenBy } from "../kit/form/pasted-table.ts";

interface TakeFilesProps {
  /** Whether what is dropped or pasted here would be taken by somebody; a sheet that is open takes its own. */
  readonly open: boolean;
  onGiven(given: Given): void;
  readonly children: ReactNode;
}

/** A screen that begins an import by a file or a copied table that is dropped or pasted onto it, outside of its fields. */
export function TakeFiles({ open, onGiven, children }: TakeFilesProps) {
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    const field = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (!open || field) return;
    const given = givenBy(data);
    if (given === null) return;
    event.preventDefault();
    onGiven(given);
  };
  return (
    <div
      className="take-files"
      onPaste={(event) => take(event, event.clipboardData)}
      onDragOver={(event) => open && event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
    >
      {children}
    </div>
  );
}
