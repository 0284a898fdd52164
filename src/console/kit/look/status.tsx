import { statuses } from "../../../contract/statuses.ts";
import type { StatusName } from "../../../contract/statuses.ts";
import type { TransactionStatus } from "../../../contract/transactions.ts";
import { drawIcon, iconElement } from "./icon-element.ts";
import type { IconName } from "./icon-names.ts";
import { Icon } from "./icon.tsx";
import { text, useText } from "../texts/texts.ts";
import { writtenClass, writtenText } from "./written.ts";

type DecisionStatus = TransactionStatus | "critical";

export interface StatusMark {
  readonly icon: IconName;
  readonly hue: string;
  readonly quiet?: true;
}

const marks: Readonly<Record<StatusName, StatusMark>> = statuses;
const known: Readonly<Partial<Record<string, StatusMark>>> = marks;

/** Icon and hue of a status or state; the text beside it says the rest. */
export const markOf = (value: string): StatusMark => known[value] ?? { icon: "info", hue: "neutral" };

/** How things are meant to be: nothing is drawn of it. */
export const isQuiet = (value: string): boolean => known[value]?.quiet === true;

/** Icon, text and hue together, never colour alone. */
export function Status({ status }: { status: DecisionStatus }) {
  const t = useText();
  return (
    <span className={`st ${marks[status].hue}`}>
      <Icon name={marks[status].icon} />
      {t(`status.${status}`)}
    </span>
  );
}

/** The same for a grid cell painted without React: builds the cell once, then writes a status into it. */
export function paintStatus(cell: HTMLElement): (status: DecisionStatus) => void {
  const holder = document.createElement("span");
  const icon = iconElement("pending");
  const word = document.createElement("span");
  holder.append(icon, word);
  cell.append(holder);
  const [setClass, setWord] = [writtenClass(holder), writtenText(word)];
  return (status) => {
    setClass(`st ${marks[status].hue}`);
    drawIcon(icon, marks[status].icon);
    setWord(text(`status.${status}`));
  };
}
