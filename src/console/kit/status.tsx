import type { TransactionStatus } from "../../contract/transactions.ts";
import { drawIcon, iconElement } from "./icon-shapes.ts";
import { Icon } from "./icon.tsx";
import { text, useText } from "./texts.ts";
import { writtenClass, writtenText } from "./written.ts";

type StatusName = TransactionStatus | "critical";

/** Glyph, word and hue together: never colour alone. */
export function Status({ status }: { status: StatusName }) {
  const t = useText();
  return (
    <span className={`st ${status}`}>
      <Icon name={status} />
      {t(`status.${status}`)}
    </span>
  );
}

/** The same for a grid cell painted without React: builds once, then writes a status into it. */
export function paintStatus(cell: HTMLElement): (status: StatusName) => void {
  const holder = document.createElement("span");
  const icon = iconElement("pending");
  const word = document.createElement("span");
  holder.append(icon, word);
  cell.append(holder);
  const [setClass, setWord] = [writtenClass(holder), writtenText(word)];
  return (status) => {
    setClass(`st ${status}`);
    drawIcon(icon, status);
    setWord(text(`status.${status}`));
  };
}
