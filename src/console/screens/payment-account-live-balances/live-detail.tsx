import type { LiveBalanceDetail, OpenItem } from "../../../contract/live-balances.ts";
import { formatCount } from "../../../values/counts.ts";
import { money, moneyText } from "../../../values/money.ts";
import { spanText } from "../../api/formats.ts";
import { Instant } from "../../api/instant.tsx";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { History } from "../../entity/entity-detail.tsx";
import { RecordLinks } from "../../entity/record-links.tsx";
import { groupedNumber } from "../../kit/look/account-number.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { shownAmount } from "../../kit/look/amounts.ts";
import { CommandButton, CommandKey } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { LimitLine } from "../../kit/look/limit-line.tsx";
import { Status } from "../../kit/look/status.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { DetailFrame } from "../../lists/detail-frame.tsx";
import type { ShownRecord } from "../../lists/use-shown-record.ts";
import { markOfAccount } from "./account-mark.ts";
import { DayCurve } from "./day-curve.tsx";
import type { AccountLine, LiveLine } from "./live-lines.ts";
import { isAccount, limitNames, usedPercent } from "./live-lines.ts";
import type { LiveList } from "./live-list.ts";

/** What an account's history is written with. */
const recorded = { subject: "payment-account", form: { fields: [] } } as const;

type LiveDetailProps = ShownRecord<LiveLine, LiveBalanceDetail> & { readonly list: LiveList };

/** One account whole: what its balance is made of, its day, its limits, what is open on it and what its bank says. */
export function LiveDetail({ list, row, detail, ...shown }: LiveDetailProps) {
  const t = useText();
  const { registry } = useKit();
  const line = row !== null && isAccount(row) ? row : null;
  const own = registry.list().filter(({ subject, takes }) => subject === "payment-account" && takes !== "none");
  const acts = (
    <>
      <CommandButton id="list.open-linked" look="go">
        {t("live-balance.act.account")}
      </CommandButton>
      <CommandButton id="live-balance.next">{t("live-balance.act.next")}</CommandButton>
      {own.map(({ id }) => (
        <CommandButton key={id} id={id} />
      ))}
    </>
  );
  return (
    <DetailFrame {...shown} row={line} detail={detail} words="record" head={line && <Head line={line} />} acts={acts}>
      {line !== null && (
        <>
          <MadeOf line={line} />
          <Today line={line} detail={detail} list={list} />
          <Limits line={line} list={list} />
          {detail !== null && <Items detail={detail} />}
          {detail?.bank && <Bank bank={detail.bank} />}
          {detail !== null && <History entity={recorded} events={detail.history} whole={shown.wholeHistory} innerRef={shown.historyRef} />}
        </>
      )}
    </DetailFrame>
  );
}

function Head({ line }: { line: AccountLine }) {
  const t = useText();
  const { time } = useApi();
  const { currency } = useSignedIn();
  useSecond();
  const mark = markOfAccount(line, t);
  const isShort = money(line.payable) < 0n;
  return (
    <div className="decide">
      <div className="top">
        <span className={`st ${mark.hue}`}>
          <Icon name={mark.icon} />
          {mark.word}
        </span>
        {line.critical_since !== null && line.state === "critical" && (
          <>
            <span className="age re">
              <bdi>{spanText(time.now() - Date.parse(line.critical_since))}</bdi>
            </span>
            <span className="t3">{t("live-balance.below-threshold")}</span>
          </>
        )}
        {line.read_at !== null && (
          <span className="end t2">{t("live-balance.read-ago", { span: spanText(time.now() - Date.parse(line.read_at)) })}</span>
        )}
      </div>
      <div className="amt">
        <Amount text={line.balance} />
        <small>{currency?.code}</small>
        <span className={isShort ? "tag fail end" : "tag end"}>
          {t("payment-account.field.payable")} <Amount text={line.payable} />
        </span>
      </div>
      <div className="payee cut">
        <bdi className="mono">{line.code}</bdi> · <bdi>{line.holder}</bdi>
      </div>
      <div className="acct">
        <span>{line.bank}</span>
        <bdi className="mono pan">{groupedNumber(line.account_number)}</bdi>
        <span className="end">
          <CommandKey id="copy.account-number" />
        </span>
      </div>
    </div>
  );
}

/** The balance, less what is held and kept back, and what open items would make of it. */
function MadeOf({ line }: { line: AccountLine }) {
  const t = useText();
  const [balance, hold, reserve, leaving, payable] = (
    ["balance", "hold_amount", "reserve_amount", "pending_out", "payable"] as const satisfies readonly (keyof AccountLine)[]
  ).map((part) => money(line[part])) as [bigint, bigint, bigint, bigint, bigint]; // as many as were read
  const whole = [balance, hold + reserve + leaving, 1n].reduce((most, one) => (one > most ? one : most));
  const share = (part: bigint) => `${Number(((part < 0n ? 0n : part) * 1000n) / whole) / 10}%`;
  // what pending transfers will take is open, and taken off already
  const ifDone = payable + leaving + money(line.open_in.amount) - money(line.open_out.amount);
  return (
    <section className="sec">
      <h2>{t("live-balance.section.made-of")}</h2>
      <div className="live-parts" aria-hidden="true">
        <i className="free" style={{ "--v": share(payable) }} />
        <i className="held" style={{ "--v": share(hold + leaving) }} />
        <i className="kept" style={{ "--v": share(reserve) }} />
      </div>
      <table className="tbl">
        <tbody>
          <Sum name={t("live-balance.made-of.ledger")} amount={line.balance} strong />
          <Sum name={t("payment-account.field.hold_amount")} amount={moneyText(-hold)} note={line.hold_reason} />
          <Sum name={t("payment-account.field.reserve_amount")} amount={moneyText(-reserve)} />
          {leaving !== 0n && <Sum name={t("live-balance.made-of.reserved")} amount={moneyText(-leaving)} />}
          <Sum name={t("payment-account.field.payable")} amount={line.payable} strong />
          {(line.open_in.count > 0 || line.open_out.count > 0) && (
            <Sum name={t("live-balance.made-of.if-done")} amount={moneyText(ifDone)} />
          )}
        </tbody>
      </table>
    </section>
  );
}

interface SumProps {
  readonly name: string;
  readonly amount: string;
  readonly note?: string | null;
  readonly strong?: boolean;
}

function Sum({ name, amount, note, strong }: SumProps) {
  const tone = money(amount) < 0n && strong ? "fail strong" : strong ? "strong" : "";
  return (
    <tr className={strong ? "tot" : undefined}>
      <td className={strong ? undefined : "t2"} title={note ?? undefined}>
        {name}
        {note && <span className="t3"> · {note}</span>}
      </td>
      <td className={tone}>
        <Amount text={amount} />
      </td>
    </tr>
  );
}

function Today({ line, detail, list }: { line: AccountLine; detail: LiveBalanceDetail | null; list: LiveList }) {
  const t = useText();
  const meta = list.meta();
  if (line.day === null || meta === null) return null;
  return (
    <section className="sec">
      <h2>
        {t("live-balance.section.today")}
        {detail !== null && (
          <span className="end">
            <bdi>{t("live-balance.moved", { into: shownAmount(detail.day_in), out: shownAmount(detail.day_out) })}</bdi>
          </span>
        )}
      </h2>
      <DayCurve line={line} day={line.day} meta={meta} />
    </section>
  );
}

function Limits({ line, list }: { line: AccountLine; list: LiveList }) {
  const t = useText();
  const { time } = useApi();
  useSecond();
  const meta = list.meta();
  const until = (at: string) => spanText(Date.parse(at) - time.now());
  return (
    <section className="sec">
      <h2>
        {t("live-balance.section.limits")}
        {meta !== null && (
          <span className="end">
            <bdi>{t("live-balance.resets", { day: until(meta.day_ends_at), month: until(meta.month_ends_at) })}</bdi>
          </span>
        )}
      </h2>
      {limitNames.map((name) => {
        const { used, limit } = line[name];
        const share = usedPercent(line[name]);
        const title = t(`payment-account.field.${name}`);
        return limit === null || share === null ? (
          <div key={name} className="ln">
            <span className="cut grow">{title}</span>
            <bdi>{shownAmount(used)}</bdi> <span className="t3">{t("record.no-limit")}</span>
          </div>
        ) : (
          <LimitLine
            key={name}
            title={title}
            used={shownAmount(used)}
            limit={shownAmount(limit)}
            note={`${Math.round(share)} %`}
            share={share}
          />
        );
      })}
    </section>
  );
}

const openedAt = {
  deposit: { screen: "deposits", icon: "deposit" },
  withdrawal: { screen: "withdrawals", icon: "withdrawal" },
  transfer: { screen: "transfers", icon: "flow" },
} as const;

function Items({ detail: { items, more, row, rate_limit_group } }: { detail: LiveBalanceDetail }) {
  const t = useText();
  return (
    <section className="sec">
      <h2>
        {t("live-balance.section.open")}
        <span className="end">
          <bdi>{t("live-balance.open-counts", { into: formatCount(row.open_in.count), out: formatCount(row.open_out.count) })}</bdi>
        </span>
      </h2>
      {items.length === 0 && <p className="ln t3">{t("live-balance.nothing-open")}</p>}
      {items.map((item) => (
        <Item key={item.uuid} item={item} />
      ))}
      {more && <p className="ln t3">{t("live-balance.more-open")}</p>}
      {rate_limit_group !== null && (
        <div className="ln">
          <span className="t2 grow">{t("payment-account.field.rate_limit_group")}</span>
          <RecordLinks links={[{ screen: "rate-limit-groups", record: rate_limit_group.uuid, text: rate_limit_group.name }]} />
        </div>
      )}
    </section>
  );
}

function Item({ item }: { item: OpenItem }) {
  const { uuid, kind, status, txn_no, party, amount } = item;
  const { screen, icon } = openedAt[kind];
  return (
    <div className="ln">
      <Icon name={icon} size="xs" />
      <Status status={status} />
      <span className="mono">
        <RecordLinks links={[{ screen, search: { view: "all" }, record: uuid, text: `…${txn_no.slice(-6)}` }]} />
      </span>
      <bdi className="t2 cut grow">{party}</bdi>
      <span className="num">
        <Amount text={amount} />
      </span>
    </div>
  );
}

function Bank({ bank: { last, balance, unmatched } }: { bank: NonNullable<LiveBalanceDetail["bank"]> }) {
  const t = useText();
  const differs = balance !== null && money(balance.difference) !== 0n;
  return (
    <section className="sec">
      <h2>
        {t("live-balance.section.bank")}
        <span className="end">
          {t("live-balance.last-line")} <Instant at={last.imported_at} as="clock" />
        </span>
      </h2>
      <div className="ln">
        <bdi className="mono cut grow">{last.text}</bdi>
        <span className="num">
          <Amount text={last.amount} />
        </span>
      </div>
      {balance !== null && (
        <div className="ln">
          <span className="t2 cut grow">{t("live-balance.bank-balance")}</span>
          <Amount text={balance.bank_balance} />
        </div>
      )}
      {(differs || unmatched > 0) && (
        <div className="ck is-warn">
          <Icon name="warn" className="warn" />
          <span>{t(differs ? "live-balance.difference" : "live-balance.unmatched-only")}</span>
          <b>
            {balance !== null && differs && (
              <span className="strong">
                <Amount text={balance.difference} />
              </span>
            )}
            {differs && unmatched > 0 && " · "}
            {unmatched > 0 && t("live-balance.unmatched", { count: unmatched, shown: formatCount(unmatched) })}
          </b>
        </div>
      )}
    </section>
  );
}
