import type { PayoutPlan, PayoutReason, PayoutRequest, PayoutRow } from "../../contract/payouts.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { nearestOf, payableOf, suggestionOf } from "../payments/accounts.ts";
import { checksOf, flagsOf, tierLimits, tierOf } from "../payments/checks.ts";
import type { DecisionFacts } from "../payments/withdrawal-rows.ts";
import { approvedAmounts, loadDecisionFacts } from "../payments/withdrawal-rows.ts";
import { settingsOf } from "../settings/settings.ts";
import { accountViews } from "./account-views.ts";
import type { Candidate, Desk } from "./candidates.ts";
import { candidateOf, deskOf } from "./candidates.ts";
import type { Loads } from "./loads.ts";
import { loadsOf } from "./loads.ts";
import { spread } from "./planner/planner.ts";
import type { Option } from "./planner/problem.ts";
import { obstacleOf, reasonsOf } from "./reasons.ts";
import type { Selection } from "./selection.ts";

/** Spreads a selection over the paying accounts, and says of each withdrawal which account pays it, or why none can. */
export async function planOf(db: Scoped, call: StaffCall, request: PayoutRequest, selection: Selection): Promise<PayoutPlan> {
  const { rows, seen, missing, matching } = selection;
  const facts = await loadDecisionFacts(db, rows, await settingsOf(db, call.tenant));
  const desk = deskOf(facts, request, rows);
  const judged = rows.map((row) => ({
    ...candidateOf(row, desk),
    obstacle: obstacleOf(row, call, seen.get(row.id), request),
  }));
  const open = judged.filter(({ obstacle }) => obstacle === null);
  const options = spread({ payouts: open.map(({ payout }) => payout), rooms: desk.rooms, purses: desk.purses }, request.prefer);
  const placed = new Map(open.flatMap(({ row }, at) => (options[at] ? [[row.id, options[at]] as const] : [])));
  const loads = loadsOf(desk, open, placed);
  const views = judged.map((one) => {
    const option = placed.get(one.row.id) ?? null;
    const reasons = option ? [] : one.obstacle ? [one.obstacle] : reasonsOf(one, desk, loads);
    return rowView(one, facts, option, reasons);
  });
  return {
    computed_at: new Date().toISOString(),
    rows: views,
    accounts: accountViews(desk, open, loads),
    missing: [...missing],
    matching,
    ...sumsOf(open, placed, views),
    payable_after: moneyText(payableAfter(desk, loads)),
    ...tierOfSum(call, facts, views),
  };
}

function rowView(
  { row, need, weighed, payout }: Candidate,
  facts: DecisionFacts,
  option: Option | null,
  reasons: PayoutReason[],
): PayoutRow {
  const paying = (option && weighed[option.account]) ?? suggestionOf(weighed) ?? nearestOf(weighed);
  const debit = money(paying ? approvedAmounts(row, paying).merchant_amount : row.merchant_amount);
  const checks = checksOf(row, need, paying, debit, facts.settings);
  return {
    uuid: row.id,
    version: row.version,
    txn_no: row.txn_no,
    merchant: { uuid: row.merchant_id, code: row.merchant_code, name: row.merchant_name },
    customer_name: row.customer_name,
    bank: row.bank ?? "",
    account_number: row.account_number ?? "",
    holder: row.holder ?? "",
    method: row.method,
    amount: amountText(row.amount),
    created_at: row.created_at.toISOString(),
    flags: flagsOf(row, checks),
    tier: tierOf(row, checks, facts.settings),
    account: option === null ? null : (facts.accounts[option.account]?.id ?? null),
    ground: option === null ? null : groundOf(payout, option),
    charges: moneyText(option?.charges ?? 0n),
    reasons,
  };
}

function groundOf({ pinned, options }: Candidate["payout"], { near }: Option): PayoutRow["ground"] {
  if (pinned) return "pinned";
  if (options.length === 1) return "only";
  return near ? "same-bank" : "room";
}

const total = (amounts: readonly Money[]): Money => amounts.reduce((sum, amount) => sum + amount, 0n);
const sum = (rows: readonly PayoutRow[]) => ({ count: rows.length, amount: moneyText(total(rows.map(({ amount }) => money(amount)))) });

function sumsOf(open: readonly Candidate[], placed: ReadonlyMap<string, Option>, views: readonly PayoutRow[]) {
  const paid = views.filter(({ account }) => account !== null);
  const isLeftOut = ({ reasons: [first] }: PayoutRow) => first?.code === "left-out";
  const ofHouse = open.filter(({ row }) => row.charges_borne_by === "house").map(({ row }) => placed.get(row.id)?.charges ?? 0n);
  return {
    placed: {
      ...sum(paid),
      accounts: new Set(paid.map(({ account }) => account)).size,
      charges: moneyText(total(paid.map(({ charges }) => money(charges)))),
      charges_of_house: moneyText(total(ofHouse)),
    },
    cannot: sum(views.filter((row) => row.account === null && !isLeftOut(row))),
    left_out: sum(views.filter(isLeftOut)),
  };
}

const payableAfter = ({ inPlan }: Desk, { after }: Loads): Money =>
  total(after.filter((account, at) => inPlan[at] && account.status === "active").map((account) => positive(payableOf(account))));

const positive = (amount: Money): Money => (amount > 0n ? amount : 0n);

function tierOfSum({ currency }: StaffCall, { settings }: DecisionFacts, views: readonly PayoutRow[]) {
  const paid = views.filter(({ account }) => account !== null);
  return {
    tier: tierOf({ currency, amount: sum(paid).amount }, [], settings),
    tiers: tierLimits(settings, currency),
    second: paid.filter(({ tier }) => tier === 3).length,
  };
}
