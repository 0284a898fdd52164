import type { BankImportLine } from "../../../contract/bank-imports.ts";
import { Instant } from "../../api/instant.tsx";
import { Amount } from "../../kit/look/amount.tsx";
import { useText } from "../../kit/texts/texts.ts";

/** A line of a bank's file: what was read of it, or why it is left out. */
export function Told({ line }: { readonly line: BankImportLine }) {
  const t = useText();
  if (line.state === "unreadable" || line.state === "passed") {
    const why = line.state === "unreadable" ? t(`bank-line.fault.${line.why}`, line.values) : t(`bank-line.passed.${line.why}`);
    return (
      <>
        <td colSpan={2} className={line.state === "unreadable" ? "why line-why fail" : "why line-why t2"}>
          {why}
        </td>
        <td className="mono cut" title={line.text}>
          <bdi>{line.text}</bdi>
        </td>
      </>
    );
  }
  const { time, direction, amount, counterparty, reference, description } = line.line;
  return (
    <>
      <td className="line-time">
        <Instant at={time} />
      </td>
      <td className="figure line-amount">
        {direction === "debit" && "−"}
        <Amount text={amount} />
      </td>
      <td className="cut">
        <bdi>{[counterparty, reference, description].filter(Boolean).join(" · ")}</bdi>
      </td>
    </>
  );
}
