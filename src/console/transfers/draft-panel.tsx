import { useSyncExternalStore } from "react";
import type { z } from "zod";
import { OpenItems } from "../../contract/payment-accounts.ts";
import type { Preview } from "../../contract/transfer-forms.ts";
import { formatCount } from "../../values/counts.ts";
import { money } from "../../values/money.ts";
import { useFormats } from "../api/use-api.ts";
import { LimitBar } from "../kit/look/limit-bar.tsx";
import type { TransferSheet } from "../kit/commands/desks.ts";
import { Amount } from "../kit/look/amount.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { problemText } from "../kit/messages/problem-text.ts";
import { ruleText } from "../kit/texts/rule-text.ts";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { transactionScreens } from "../lists/counterpart.ts";
import type { DraftWork } from "./draft-work.ts";

interface DraftPanelProps {
  readonly kind: TransferSheet;
  readonly work: DraftWork;
  /** Takes the most a settlement may be as its amount. */
  onMost(amount: string): void;
}

/** What becomes of each side by what is typed, and whether it would be refused: beside the form, while it is written. */
export function DraftPanel({ kind, work, onMost }: DraftPanelProps) {
  const t = useText();
  const { shown, behind, failed } = useSyncExternalStore(work.subscribe, work.getState);
  return (
    <aside className="draft" aria-label={t("transfer.draft.title")} aria-busy={behind}>
      {shown === null ? (
        <p className="t3" role="status">
          {t(failed ? "transfer.draft.failed" : behind ? "transfer.draft.judging" : "transfer.draft.waiting")}
        </p>
      ) : (
        <>
          {shown.sides.map((side) => (
            <Side key={side.side} side={side} moves={money(shown.final_amount) > 0n} isEmptied={kind === "clearing"} />
          ))}
          <Sums preview={shown} onMost={onMost} />
          <Verdict kind={kind} preview={shown} behind={behind} />
        </>
      )}
    </aside>
  );
}

type DraftSide = Preview["sides"][number];

interface SideProps {
  readonly side: DraftSide;
  /** There is an amount. */
  readonly moves: boolean;
  /** It pays all it has, also what must stay otherwise. */
  readonly isEmptied: boolean;
}

function Side({ side, moves, isEmptied }: SideProps) {
  const t = useText();
  const uses = (["daily", "monthly"] as const).flatMap((name) => {
    const use = side[name];
    return use === null ? [] : [{ name, used: moves ? use.after : use.used, limit: use.limit }];
  });
  return (
    <section>
      <h3>
        <span className="t3">{t(`transfer.side.${side.side}`)}</span> <bdi className="mono strong">{side.code}</bdi>{" "}
        <bdi className="t2 cut">{side.name}</bdi>
      </h3>
      <table className="tbl">
        <thead>
          <tr>
            <th>
              <span className="sr">{t("transaction.detail.money")}</span>
            </th>
            <th scope="col" className="figure">
              {t("transaction.detail.before")}
            </th>
            <th scope="col" className="figure">
              {t("transaction.detail.after")}
            </th>
          </tr>
        </thead>
        <tbody>
          <Figures label={t("transfer.draft.balance")} before={side.balance} after={side.balance_after} />
          {side.side === "source" && !isEmptied && (
            <Figures label={t("transfer.draft.payable")} before={side.payable} after={side.payable_after} />
          )}
        </tbody>
      </table>
      {uses.map(({ name, ...use }) => (
        <div key={name} className="ln">
          <span className="t2 cut">{t(`transfer.draft.${name}`)}</span>
          <span className="value">
            <LimitBar use={use} />
          </span>
        </div>
      ))}
    </section>
  );
}

function Figures({ label, before, after }: { label: string; before: string; after: string }) {
  return (
    <tr>
      <th scope="row" className="t2">
        {label}
      </th>
      <td className="figure t2">
        <Amount text={before} />
      </td>
      <td className={money(after) < 0n ? "figure strong fail" : "figure strong"}>
        <Amount text={after} />
      </td>
    </tr>
  );
}

function Sums({ preview, onMost }: { preview: Preview; onMost(amount: string): void }) {
  const t = useText();
  const formats = useFormats();
  const { fee, charges, final_amount, merchant_amount, least, most, sides } = preview;
  const isPaid = sides.some(({ side }) => side === "source");
  const lines = [
    { name: "fee", amount: merchant_amount === null ? null : fee },
    { name: "charges", amount: isPaid ? charges : null },
    { name: "leaves", amount: isPaid ? final_amount : null },
    { name: "costs", amount: merchant_amount },
    { name: "least", amount: least },
  ] as const;
  return (
    <section>
      {lines.map(
        ({ name, amount }) =>
          amount !== null && (
            <div key={name} className="ln">
              <span className="t2 cut">{t(`transfer.draft.${name}`)}</span>
              <span className={name === "leaves" || name === "costs" ? "value strong" : "value"}>
                <Amount text={amount} />
              </span>
            </div>
          ),
      )}
      {most !== null && money(most) > 0n && (
        <button type="button" className="btn" onClick={() => onMost(most)}>
          {t("transfer.draft.take-most", { amount: formats.amount(most) })}
        </button>
      )}
    </section>
  );
}

interface VerdictProps {
  readonly kind: TransferSheet;
  readonly preview: Preview;
  readonly behind: boolean;
}

/** Why it would be refused, else what confirming it does. */
function Verdict({ kind, preview: { refusal, tier, amount }, behind }: VerdictProps) {
  const t = useText();
  const open = refusal?.code === "payment-account.open-items" ? OpenItems.safeParse(refusal.data).data : undefined;
  const isAmountMissing = money(amount) <= 0n && kind !== "clearing";
  return (
    <div className="verdict" role="status">
      {behind ? (
        <span className="t3">{t("transfer.draft.judging")}</span>
      ) : refusal !== null ? (
        <>
          {refusalLines(refusal).map((line) => (
            <p key={line} className="fail">
              <Icon name="warn" size="s" />
              <span>{line}</span>
            </p>
          ))}
          {open !== undefined && <WhatIsOpen open={open} />}
        </>
      ) : (
        !isAmountMissing && (
          <>
            <p className="t2">{t(`transfer.draft.then.${kind}`)}</p>
            {tier === 3 && (
              <p className="warn">
                <Icon name="users" size="s" />
                <span>{t(kind === "clearing" ? "transfer.draft.second-clearing" : "transfer.draft.second")}</span>
              </p>
            )}
          </>
        )
      )}
    </div>
  );
}

/** The lines at its fields where it has some, else its own text. */
function refusalLines({ code, message, data }: NonNullable<Preview["refusal"]>): readonly string[] {
  const values: readonly unknown[] = typeof data === "object" && data !== null ? Object.values(data) : [];
  const lines = values.flatMap((value) => (Array.isArray(value) ? value.filter((line): line is string => typeof line === "string") : []));
  return lines.length > 0 ? lines.map(ruleText) : [problemText(code, data) ?? message];
}

/** What keeps an account from being cleared: how many of each kind, its hold, and the oldest, which open beside the form. */
function WhatIsOpen({ open: { deposits, withdrawals, transfers, hold, items } }: { open: z.infer<typeof OpenItems> }) {
  const t = useText();
  const formats = useFormats();
  const { services } = useKit();
  const counts = { deposits, withdrawals, transfers };
  return (
    <>
      <ul className="open-items">
        {(["deposits", "withdrawals", "transfers"] as const).map(
          (name) =>
            counts[name] > 0 && (
              <li key={name}>{t(`transfer.draft.open-${name}`, { count: counts[name], shown: formatCount(counts[name]) })}</li>
            ),
        )}
        {hold !== null && <li>{t("transfer.draft.open-hold", { amount: formats.amount(hold.amount), reason: hold.reason ?? "" })}</li>}
      </ul>
      <p className="open-links">
        {items.map(({ uuid, kind, txn_no }) => (
          <button
            key={uuid}
            type="button"
            className="btn bare mono"
            onClick={() => services.shell.splitScreen(transactionScreens[kind], { search: { view: "all", record: uuid } })}
          >
            <bdi>{txn_no}</bdi>
          </button>
        ))}
      </p>
    </>
  );
}
