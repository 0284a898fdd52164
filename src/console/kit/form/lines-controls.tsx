import { TextArea } from "@blueprintjs/core";
import type { ComponentProps } from "react";
import type { TextControlProps } from "./control-props.ts";
import { isWrong, saidOf } from "./control-props.ts";
import { jsonFault } from "./json-fault.ts";
import { useText } from "../texts/texts.ts";

type LinesProps = TextControlProps & {
  /** What its kind of text asks of the browser. */
  readonly more: Pick<ComponentProps<"textarea">, "className" | "rows" | "dir" | "maxLength" | "spellCheck">;
};

/** Several lines of text: Enter makes a new one, Tab leaves it. */
export function Lines({ more, ...props }: LinesProps) {
  const { value, readOnly, placeholder, takeRef, onWrite } = props;
  return (
    <TextArea
      {...saidOf(props)}
      autoComplete="off"
      spellCheck={false}
      fill
      {...more}
      value={value}
      readOnly={readOnly}
      placeholder={placeholder}
      inputRef={takeRef}
      onChange={(event) => onWrite(event.target.value)}
    />
  );
}

/** A text of several lines. */
export const LinesControl = (props: TextControlProps) => <Lines {...props} more={{ rows: 2, dir: "auto" }} />;

/** JSON, written left to right; where it stops being that is said while it is typed. */
export function JsonControl(props: TextControlProps) {
  const t = useText();
  const fault = props.value.trim() === "" ? null : jsonFault(props.value);
  return (
    <>
      <Lines {...props} more={{ className: "mono", rows: 6, dir: "ltr" }} />
      <span className="note" role="status">
        {fault !== null && !isWrong(props) && t("record.rule.json", { line: fault.line, column: fault.column })}
      </span>
    </>
  );
}
