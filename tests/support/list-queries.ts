import type pg from "pg";
import { depositViews, DepositQuery } from "../../src/contract/deposits.ts";
import { transactionSorts } from "../../src/contract/transactions.ts";
import { withdrawalViews, WithdrawalQuery } from "../../src/contract/withdrawals.ts";
import { routes } from "../../src/contract/index.ts";

type Kind = "withdrawal" | "deposit";
type FilterOf<Q extends { shape: object }> = Extract<keyof Q["shape"], `filter[${string}`>;
type Filter = FilterOf<typeof WithdrawalQuery> | FilterOf<typeof DepositQuery>;

/** A row in the middle of a list, and what else its filters may ask for. */
interface Sample {
  readonly ids: string;
  readonly merchant_id: string;
  readonly member: string;
  readonly amount: string;
  readonly created: string;
  readonly soon: string;
  readonly bank: string;
  readonly account_number: string;
  readonly customer_name: string;
  readonly payment_account: string;
  readonly reference: string;
  readonly file: string;
}

/** What each filter the lists offer is asked for; a range by both of its ends at once. */
const asked: Readonly<Record<Filter, ((row: Sample) => string) | null>> = {
  "filter[status]": () => "filter[status]=rejected",
  "filter[merchant]": ({ merchant_id }) => `filter[merchant]=${merchant_id}`,
  "filter[member]": ({ member }) => `filter[member]=${encodeURIComponent(member)}`,
  "filter[amount_from]": ({ amount }) => `filter[amount_from]=${amount}&filter[amount_to]=${amount}`,
  "filter[amount_to]": ({ amount }) => `filter[amount_to]=${amount}`,
  "filter[created_from]": ({ created, soon }) => `filter[created_from]=${created}&filter[created_to]=${soon}`,
  "filter[created_to]": ({ created }) => `filter[created_to]=${created}`,
  "filter[approved_from]": ({ created, soon }) => `filter[approved_from]=${created}&filter[approved_to]=${soon}`,
  "filter[approved_to]": ({ created }) => `filter[approved_to]=${created}`,
  "filter[claimed]": () => "filter[claimed]=yes",
  "filter[claimed_by]": () => "filter[claimed_by]=me",
  "filter[uuid]": ({ ids }) => `filter[uuid]=${ids}`,
  "filter[bank]": ({ bank }) => `filter[bank]=${encodeURIComponent(bank)}`,
  "filter[account_number]": ({ account_number }) => `filter[account_number]=${account_number}`,
  "filter[customer_name]": ({ customer_name }) => `filter[customer_name]=${encodeURIComponent(customer_name)}`,
  "filter[payment_account]": ({ payment_account }) => `filter[payment_account]=${payment_account}`,
  "filter[reference]": ({ reference }) => `filter[reference]=${encodeURIComponent(reference)}`,
  "filter[payout_file]": ({ file }) => `filter[payout_file]=${file}`,
};

const lists = {
  withdrawal: { path: routes.listWithdrawals.path, query: WithdrawalQuery, views: withdrawalViews },
  deposit: { path: routes.listDeposits.path, query: DepositQuery, views: depositViews },
} as const;

/** The column each sort reads. */
const columns: Readonly<Record<(typeof transactionSorts)[number], string>> = {
  created_at: "created_at",
  amount: "amount_key",
  status: "status",
  customer_name: "name_key",
  txn_no: "txn_no",
};

export interface ListQuery {
  readonly what: string;
  readonly path: string;
}

/**
 * Every view at its first page; every sort, both ways, at the first, middle and last page; every filter by time at these pages, and by every
 * other sort at the first: of the lists of withdrawals and deposits, from what their routes offer.
 * @param get the answer of a path, parsed
 */
export async function listQueries(
  owner: pg.ClientBase | pg.Pool,
  { tenant, currency }: { readonly tenant: string; readonly currency: string },
  get: (path: string) => Promise<{ meta: { next: string | null } }>,
): Promise<ListQuery[]> {
  const queries: ListQuery[] = [];
  for (const kind of ["withdrawal", "deposit"] as const) {
    const { path, query, views } = lists[kind];
    const row = await sampleOf(owner, tenant, currency, kind);
    const add = (what: string, asks: string) => queries.push({ what: `${kind}s: ${what}`, path: `${path}?${asks}&limit=100` });
    /** The cursor after a row in the middle of a sort: of two such rows, that of the first. */
    const middles = new Map<string, string>();
    const middleOf = async (sort: string): Promise<string> => {
      const known = middles.get(sort);
      if (known !== undefined) return known;
      const column = columns[sort.replace("-", "") as keyof typeof columns]; // one of the sorts
      const { rows } = await owner.query<{ id: string }>(
        `select id from transactions where tenant_id = $1 and currency = $2 and kind = $3 order by ${column}, id
         offset (select count(*) / 2 from transactions where tenant_id = $1 and currency = $2 and kind = $3) limit 2`,
        [tenant, currency, kind],
      );
      const { meta } = await get(`${path}?view=all&sort=${sort}&limit=1&filter[uuid]=${rows.map(({ id }) => id).join()}`);
      if (meta.next === null) throw new Error(`there is no middle of ${kind}s by ${sort}`);
      middles.set(sort, meta.next);
      return meta.next;
    };
    const pagesOf = async (what: string, asks: string, sort: string): Promise<void> => {
      add(`${what}, first page`, `${asks}&sort=${sort}`);
      add(`${what}, middle page`, `${asks}&sort=${sort}&cursor=${encodeURIComponent(await middleOf(sort))}`);
      add(`${what}, last page`, `${asks}&sort=${sort}&direction=previous`);
    };
    for (const view of views) add(`view ${view}`, `view=${view}`);
    for (const sort of transactionSorts.flatMap((one) => [one, `-${one}`])) await pagesOf(`by ${sort}`, "view=all", sort);
    for (const filter of Object.keys(query.shape).filter((name): name is Filter => name in asked)) {
      const asks = asked[filter]?.(row) ?? "";
      await pagesOf(filter, `view=all&${asks}`, "-created_at");
      for (const sort of transactionSorts.slice(1)) add(`${filter} by ${sort}`, `view=all&${asks}&sort=${sort}`);
    }
  }
  return queries;
}

async function sampleOf(owner: pg.ClientBase | pg.Pool, tenant: string, currency: string, kind: Kind): Promise<Sample> {
  const middle = `transactions t where tenant_id = $1 and currency = $2 and kind = $3 and payment_account_id is not null and reference_no is not null`;
  const { rows } = await owner.query<Sample & { at: Date }>(
    `select array_to_string(array_agg(t.id::text), ',') as ids, min(t.created_at) as at, (array_agg(t.merchant_id))[1] as merchant_id,
       (array_agg(t.member))[1] as member, (array_agg(t.amount))[1]::numeric(20, 2)::text as amount, (array_agg(t.bank))[1] as bank,
       (array_agg(t.account_number))[1] as account_number, split_part((array_agg(t.customer_name))[1], ' ', 1) as customer_name,
       (array_agg(t.payment_account_id))[1] as payment_account, (array_agg(t.reference_no))[1] as reference,
       coalesce((select id::text from payout_files f where f.tenant_id = $1 limit 1), '00000000-0000-7000-8000-000000000000') as file
     from (select * from ${middle} and created_at >= (select min(created_at) + (max(created_at) - min(created_at)) / 2 from ${middle})
       order by created_at limit 2) t`,
    [tenant, currency, kind],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there are no ${kind}s`);
  return { ...row, created: row.at.toISOString(), soon: new Date(row.at.getTime() + 86_400_000).toISOString() };
}
