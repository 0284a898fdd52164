import { useEffect } from "react";
import type { accountTransactionRoutes, merchantTransactionRoutes, WholeStatement } from "../../contract/statements.ts";
import { formatCount } from "../../values/counts.ts";
import { useFormats, useRead } from "../api/use-api.ts";
import type { Entity } from "../entity/entity.ts";
import { choiceKey } from "../entity/entity.ts";
import type { StatementWindow } from "../kit/commands/statement-desk.ts";
import { Amount } from "../kit/look/amount.tsx";
import { ownWay } from "../kit/look/printed-page.ts";
import { SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { text, useText } from "../kit/texts/texts.ts";
import { ReadFailed } from "../kit/look/read-failed.tsx";
import { paperOf } from "./paper.ts";

export type WholeRoute = typeof merchantTransactionRoutes.readWalletStatement | typeof accountTransactionRoutes.readAccountStatement;

interface WholeSheetProps {
  readonly route: WholeRoute;
  readonly entity: Entity;
  readonly window: StatementWindow;
  onClose(): void;
}

/** A whole statement as it is printed: with what it opens and closes with, its totals by type, and its lines. */
export function WholeSheet({ route, entity, window: asked, onClose }: WholeSheetProps) {
  const t = useText();
  const { data, isError, refetch } = useRead(route, { query: asked });
  const told = data?.data;
  const print = () => window.print();
  const acts = { close: onClose, toggle: () => undefined, ...(told !== undefined && { confirm: print }) };
  return (
    <SheetFrame
      wide
      dialog={{ name: "form", aimless: true, acts }}
      title={t("statement.whole.title")}
      foot={
        <button type="button" className="btn go" disabled={told === undefined} onClick={print}>
          {t("statement.whole.print")}
        </button>
      }
    >
      {isError && <ReadFailed retry={refetch}>{t("statement.whole.failed")}</ReadFailed>}
      {told === undefined && !isError && <p role="status">{t("statement.whole.loading")}</p>}
      {told !== undefined && <Paper entity={entity} told={told} />}
    </SheetFrame>
  );
}

function Paper({ entity, told }: { readonly entity: Entity; readonly told: WholeStatement }) {
  const t = useText();
  const { time } = useFormats();
  const { code, name, currency, from, to, made_at, opening, closing, difference, count, totals, lines } = told;
  // a window's end is excluded: people read the last moment within it
  const last = to === null ? null : new Date(Date.parse(to) - 1).toISOString();
  const period = `${from === null ? t("statement.whole.from-beginning") : time(from)} – ${last === null ? t("statement.whole.until-now") : time(last)}`;
  const owner = `${code} · ${name}`;
  useEffect(
    () => paperOf([t("statement.whole.title"), owner].map(ownWay).join(" · "), [period, currency].map(ownWay).join(" · ")),
    [t, owner, period, currency],
  );
  const kindOf = (kind: string) => {
    const key = choiceKey(entity, "kind", kind);
    return key === null ? kind : text(key);
  };
  const field = (named: "created_at" | "kind" | "txn_no" | "amount_out" | "amount_in" | "fee" | "balance") => t(`statement.field.${named}`);
  const money = (amount: string | null) => <td className="figure">{amount !== null && <Amount text={amount} />}</td>;
  return (
    <article className="whole-statement">
      <h3>
        <bdi>{owner}</bdi>
      </h3>
      <dl>
        <dt>{t("statement.whole.period")}</dt>
        <dd>
          <bdi>{period}</bdi>
        </dd>
        <dt>{t("statement.whole.currency")}</dt>
        <dd>
          <bdi>{currency}</bdi>
        </dd>
        <dt>{t("statement.whole.made")}</dt>
        <dd>
          <bdi>{time(made_at)}</bdi>
        </dd>
        <dt>{t("statement.whole.opening")}</dt>
        <dd>
          <Amount text={opening} />
        </dd>
        <dt>{t("statement.whole.closing")}</dt>
        <dd>
          <Amount text={closing} />
        </dd>
      </dl>
      {Number(difference) !== 0 && <p role="alert">{t("record.totals.difference", { amount: difference })}</p>}
      {count === 0 && <p className="t3">{t("statement.whole.none")}</p>}
      {count > 0 && (
        <table className="tbl">
          <caption>{t("statement.whole.totals")}</caption>
          <thead>
            <tr>
              <th scope="col">{field("kind")}</th>
              <th scope="col" className="figure">
                {t("statement.whole.count")}
              </th>
              <th scope="col" className="figure">
                {field("amount_out")}
              </th>
              <th scope="col" className="figure">
                {field("amount_in")}
              </th>
              <th scope="col" className="figure">
                {field("fee")}
              </th>
            </tr>
          </thead>
          <tbody>
            {totals.map((one) => (
              <tr key={one.kind}>
                <th scope="row">{kindOf(one.kind)}</th>
                <td className="figure">{formatCount(one.count)}</td>
                {money(one.amount_out)}
                {money(one.amount_in)}
                {money(one.fee)}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines.length > 0 && (
        <table className="tbl">
          <caption>{t("statement.whole.lines")}</caption>
          <thead>
            <tr>
              {(["created_at", "txn_no", "kind"] as const).map((named) => (
                <th key={named} scope="col">
                  {field(named)}
                </th>
              ))}
              {(["amount_out", "amount_in", "balance"] as const).map((named) => (
                <th key={named} scope="col" className="figure">
                  {field(named)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.uuid}>
                <td>
                  <bdi>{time(line.created_at)}</bdi>
                </td>
                <td className="mono">
                  <bdi>{line.txn_no ?? ""}</bdi>
                </td>
                <td>{kindOf(line.kind)}</td>
                {money(line.amount_out)}
                {money(line.amount_in)}
                {money(line.balance)}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines.length < count && <p>{t("statement.whole.more", { count: lines.length, of: formatCount(count) })}</p>}
    </article>
  );
}
