import type pg from "pg";
import { routes } from "../../../src/contract/index.ts";

/** What of a transaction is typed into the search box. */
interface Sample {
  readonly id: string;
  readonly txn_no: string;
  readonly merchant_txn_no: string;
  readonly reference_no: string;
  readonly member: string;
  readonly customer_name: string;
  readonly account_number: string;
  readonly chinese: string;
  readonly thai: string;
}

const swapped = (word: string): string => `${word[0] ?? ""}${word[2] ?? ""}${word[1] ?? ""}${word.slice(3)}`;
const wordsOf = ({ customer_name }: Sample): string[] => customer_name.split(" ");
const longestOf = (row: Sample): string => wordsOf(row).reduce((a, b) => (b.length > a.length ? b : a));

const ways: Readonly<Record<string, (row: Sample) => string>> = {
  "an id": ({ id }) => id,
  "a number": ({ txn_no }) => txn_no,
  "a number's last six digits": ({ txn_no }) => txn_no.slice(-6),
  "a merchant's number": ({ merchant_txn_no }) => merchant_txn_no,
  "a bank's reference": ({ reference_no }) => reference_no,
  "a customer's id": ({ member }) => member,
  "a whole name": ({ customer_name }) => customer_name,
  "a name as it is typed": ({ customer_name }) => customer_name.slice(0, 5),
  "the words of a name in another order": (row) => wordsOf(row).toReversed().join(" "),
  "a name without accents": ({ customer_name }) => customer_name.normalize("NFD").replaceAll(/\p{M}/gu, ""),
  "a name with a typo": (row) =>
    wordsOf(row)
      .map((word) => (word === longestOf(row) ? swapped(word) : word))
      .join(" "),
  "one word with a typo": (row) => swapped(longestOf(row)),
  "a payee's account": ({ account_number }) => account_number,
  "a payee's last four digits": ({ account_number }) => account_number.slice(-4),
  "a part of a name in Chinese": ({ chinese }) => chinese.slice(-2),
  "a word of a name in Thai": ({ thai }) => thai.split(" ")[1] ?? thai,
  "what nothing is called": () => "zzzqqq",
};

/** Samples each way is asked for, so that not one page of an index answers all. */
const samples = 20;

export interface SearchQuery {
  readonly what: string;
  readonly paths: readonly string[];
}

/** The search box asked in each way it finds transactions, over all kinds of record. */
export async function searchQueries(
  owner: pg.ClientBase,
  { tenant, currency }: { tenant: string; currency: string },
): Promise<SearchQuery[]> {
  const inScript = (script: string) => `(select t.customer_name from transactions t where t.tenant_id = $1 and t.currency = $2
    and t.kind = 'withdrawal' and t.name_key >= '${script}' order by t.name_key offset n.n limit 1)`;
  const { rows } = await owner.query<Sample>(
    `select s.*, coalesce(${inScript("一")}, s.customer_name) as chinese, coalesce(${inScript("ก")}, s.customer_name) as thai
     from generate_series(1, $3) n cross join lateral (
       select t.id, t.txn_no, t.merchant_txn_no, t.reference_no, t.member, t.customer_name, t.account_number from transactions t
       where t.tenant_id = $1 and t.currency = $2 and t.kind = 'withdrawal' and t.reference_no is not null and t.customer_name ~ '^[A-Z]'
         and t.created_at >= now() - n.n * (select (now() - min(created_at)) / ($3 + 1) from transactions where tenant_id = $1 and currency = $2 and kind = 'withdrawal')
       order by t.created_at limit 1) s`,
    [tenant, currency, samples],
  );
  return Object.entries(ways).map(([what, typed]) => ({
    what,
    paths: rows.map((row) => `${routes.search.path}?q=${encodeURIComponent(typed(row))}`),
  }));
}
