import { useRef, useState } from "react";
import type { Payer } from "../../../contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transaction-routes.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import { newUuid } from "../../../values/uuid.ts";
import { Instant } from "../../api/instant.tsx";
import { useApi, useFormats, useRead, useSignedIn } from "../../api/use-api.ts";
import { groupedNumber } from "../../kit/look/account-number.ts";
import { problemText } from "../../kit/messages/problem-text.ts";
import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { useRowArrows } from "../../kit/sheets/use-row-arrows.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { FilterLine } from "../../lists/filter-line.tsx";
import type { Filters } from "../../lists/filters.ts";
import { askedFilters } from "../../lists/filters.ts";
import { payerFilters } from "./payer-filters.ts";
import { ReadState } from "./read-sheet.tsx";

/** Payers that are fetched; others are asked for by the query line. */
const shownAtMost = 100;
const nobody: readonly Payer[] = [];

/** The accounts customers have paid from, as people's matches taught them: each can be revoked. */
export function PayersSheet({ find = "", onClose }: { readonly find?: string; onClose(): void }) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const { context } = useSignedIn();
  const mayRevoke = isAllowed(context.permissions, routes.revokePayers.permission);
  const { zone } = useFormats();
  // "today" is that of the moment it is asked for
  const [{ set, at }, ask] = useState(() => {
    const found: Filters = find === "" ? {} : { q: find };
    return { set: found, at: Date.now() };
  });
  const first = useRef<HTMLInputElement | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const arrows = useRowArrows(first);
  const query = { ...askedFilters(payerFilters, set, at, zone), limit: shownAtMost, sort: "-last_at" };
  const read = useRead(routes.listPayers, { query }, { keep: true });
  const payers = read.data?.data;
  const revoke = async ({ uuid, version, name, account }: Payer): Promise<void> => {
    const reason = await services.ask("text", {
      title: "payer.ask.revoke",
      label: "bank-line.ask.reason",
      words: { name, account: account.slice(-4) },
      initial: "",
      maximum: 500,
      refuse: (text) => (text.trim() === "" ? "bank-line.refuse.no-reason" : null),
    });
    first.current?.focus();
    if (reason === null) return;
    const body = { rows: [{ uuid, version }], reason: reason.trim() };
    const { data } = await call(routes.revokePayers, { body }, { idempotencyKey: newUuid() });
    const [outcome] = data.outcomes;
    if (outcome?.done === true) services.say("payer.said.revoked", { name }, "done");
    else if (outcome !== undefined)
      services.say("payer.said.refused", { why: problemText(outcome.problem.code, null) ?? outcome.problem.message }, "fail");
    await read.refetch();
  };
  return (
    <SheetFrame
      wide
      first={first}
      dialog={{ name: "form", aimless: true, acts: { confirm: onClose, close: onClose, toggle: () => undefined } }}
      title={t("payer.title")}
    >
      <div className="statements payers" {...arrows}>
        <p className="t2">{t("payer.about")}</p>
        <FilterLine
          filters={payerFilters}
          set={set}
          rows={payers ?? nobody}
          fieldRef={(field) => (first.current = field)}
          onFilters={(next) => ask({ set: next, at: Date.now() })}
          onLeave={(byEscape) =>
            byEscape ? onClose() : (table.current?.querySelector<HTMLElement>("tbody button") ?? first.current)?.focus()
          }
        />
        {payers === undefined && <ReadState read={read} />}
        {payers?.length === 0 && <p className="t3">{t(Object.keys(set).length === 0 ? "payer.none" : "payer.no-match")}</p>}
        {payers !== undefined && payers.length > 0 && (
          <table className="tbl" ref={table}>
            <thead>
              <tr>
                <th scope="col">{t("bank-line.field.counterparty_account")}</th>
                <th scope="col">{t("bank-line.field.name")}</th>
                <th scope="col">{t("transaction.column.merchant")}</th>
                <th scope="col">{t("transaction.filter.member")}</th>
                <th scope="col" className="figure">
                  {t("payer.times")}
                </th>
                <th scope="col">{t("payer.last")}</th>
                <th scope="col">
                  <span className="sr">{t("payer.revoke")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {payers.map((payer) => (
                <tr key={payer.uuid} className={payer.status === "active" ? undefined : "t3"}>
                  <th scope="row">
                    <bdi className="mono">{groupedNumber(payer.account)}</bdi>
                  </th>
                  <td>
                    <bdi>{payer.name}</bdi>
                  </td>
                  <td>
                    <bdi>{payer.merchant.name}</bdi>
                  </td>
                  <td>
                    <bdi className="mono">{payer.member}</bdi>
                  </td>
                  <td className="figure">
                    <bdi>{payer.times}</bdi>
                  </td>
                  <td>
                    <Instant at={payer.last_at} />
                  </td>
                  <td className="figure">
                    {payer.status === "revoked" && <span className="tag">{t("payer.revoked")}</span>}
                    {payer.status === "active" && mayRevoke && (
                      <button type="button" className="btn bare" onClick={() => void revoke(payer)}>
                        {t("payer.revoke")}
                        <span className="sr"> {payer.name}</span>
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </SheetFrame>
  );
}
