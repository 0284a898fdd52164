/** Days of owners as the reports keep them, and what is counted of those that are not over. */
const dayKinds = [
  { table: "account_days", owner: "payment_account_id", parts: "select tenant_id, currency, day from account_day_parts" },
  {
    table: "merchant_days",
    owner: "merchant_id",
    parts: "select tenant_id, currency, day from merchant_day_parts union select tenant_id, currency, day from decided_day_parts",
  },
] as const;

/** Days kept for the reports beside those computed from the ledger again, days missing between two, and days the ledger does not have. */
export const daysBroken = dayKinds
  .map(
    ({
      table,
      owner,
    }) => `select coalesce(k.tenant_id, d.tenant_id) as tenant_id, coalesce(k.${owner}, d.${owner}) as owner_id, coalesce(k.day, d.day) as day
      from ${table} k
      full join (select d.* from (select tenant_id, currency, max(day) as upto, array_agg(distinct ${owner}) as owners from ${table} group by 1, 2) n
        join currencies c on c.tenant_id = n.tenant_id and c.code = n.currency
        cross join lateral ${table}_of(c.tenant_id, c.code, c.zone_minutes, '0001-01-01', n.upto, n.owners) d) d
        on d.tenant_id = k.tenant_id and d.${owner} = k.${owner} and d.day = k.day
      where k is distinct from d
        and (d.day is null or d.day <= (select max(l.day) from ${table} l where l.tenant_id = d.tenant_id and l.${owner} = d.${owner}))`,
  )
  .join("\nunion all\n");

/** Days of which a part is counted already, beside the same read as a whole. */
export const partsBroken = dayKinds
  .map(
    ({ table, owner, parts }) => `select d.tenant_id, d.${owner} as owner_id, d.day
      from (select tenant_id, currency, min(day) as since, max(day) as upto from (${parts}) p group by 1, 2) n
      join currencies c on c.tenant_id = n.tenant_id and c.code = n.currency
      cross join lateral ${table}_of(c.tenant_id, c.code, c.zone_minutes, null, n.upto, null) d
      join lateral ${table}_of(c.tenant_id, c.code, c.zone_minutes, n.since, n.upto, null) w on w.${owner} = d.${owner} and w.day = d.day
      where d is distinct from w`,
  )
  .join("\nunion all\n");
