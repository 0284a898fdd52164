import type { ReactNode } from "react";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transaction-routes.ts";
import { moneyText, money } from "../../../values/money.ts";
import { Instant } from "../../api/instant.tsx";
import { useRead } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { StrongEnd } from "../../kit/look/strong-end.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { ReadState } from "./read-sheet.tsx";

const negated = (amount: string): string => moneyText(-money(amount));

/** What one account's difference is made of over the last days: it adds up to the difference line by line. */
export function Explained({ account }: { account: string }) {
  const t = useText();
  const read = useRead(routes.readStatementBalance, { params: { uuid: account }, query: { days: 7 } });
  const found = read.data?.data;
  if (found === undefined) return <ReadState read={read} />;
  return (
    <dl className="explained">
      <Sum
        name={
          <>
            {t("statement-balance.opening")} <Instant at={found.opened_at} />
          </>
        }
        amount={found.opening_difference}
      />
      <Sum name={t("statement-balance.lines", { n: found.lines.length })} amount={found.lines_sum} />
      {found.lines.map((line) => (
        <Sum
          key={line.uuid}
          part
          name={
            <>
              <Instant at={line.time} /> <bdi className="mono">{[line.description, line.counterparty].filter(Boolean).join(" · ")}</bdi>
            </>
          }
          amount={line.direction === "credit" ? line.amount : negated(line.amount)}
        />
      ))}
      <Sum name={t("statement-balance.movements", { n: found.movements.length })} amount={negated(found.movements_sum)} />
      {found.movements.map(({ uuid, time, transaction, amount }) => (
        <Sum
          key={uuid}
          part
          name={
            <>
              <Instant at={time} /> {transaction === null ? t("statement-balance.booked") : <StrongEnd id={transaction.txn_no} />}
            </>
          }
          amount={negated(amount)}
        />
      ))}
      <Sum name={t("statement-balance.rest")} amount={found.rest} />
      <Sum total name={t("statement-balance.difference")} amount={found.difference} />
    </dl>
  );
}

/** A part of the difference; `part`: counted in the sum above it. */
function Sum({ name, amount, part = false, total = false }: { name: ReactNode; amount: string; part?: boolean; total?: boolean }) {
  return (
    <div className={total ? "explained-sum total" : part ? "explained-sum part t2" : "explained-sum"}>
      <dt>{name}</dt>
      <dd>
        <Amount text={amount} />
      </dd>
    </div>
  );
}
