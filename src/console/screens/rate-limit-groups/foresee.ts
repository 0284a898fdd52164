import type { RateLimitGroup, RateLimitsReached } from "../../../contract/rate-limit-groups.ts";
import { rateLimitGroupRoutes as routes, rateRules, rateScopes } from "../../../contract/rate-limit-groups.ts";
import { formatCount } from "../../../values/counts.ts";
import type { Foreseen, Write } from "../../entity/entity.ts";
import type { Services } from "../../kit/commands/services.ts";
import { text } from "../../kit/texts/texts.ts";

const limits = rateScopes.flatMap((scope) => [`${scope}_window_minutes` as const, ...rateRules.map((rule) => `${scope}_${rule}` as const)]);

/** What a write would refuse from then on: said before it is sent. Turning a group off, and a group without accounts, refuse nothing. */
export async function foreseeRefusals({ act, row, body }: Write<RateLimitGroup>, call: Services["call"]): Promise<Foreseen | null> {
  const writes = act === "form" ? body : row;
  const isOff = act === "status" ? body["status"] !== "active" : row?.status === "inactive";
  if (row === null || writes === null || isOff) return null;
  const written: Readonly<Record<string, unknown>> = { ...writes };
  const set = limits.flatMap((name) => (written[name] == null ? [] : [[name, written[name]] as const]));
  const accounts = act === "assign" ? (body["accounts"] as readonly string[]) : undefined; // of the act's own body
  if (accounts?.length === 0) return null;
  const asked = { ...Object.fromEntries(set), ...(accounts === undefined ? { group: row.uuid } : { accounts: accounts.join(",") }) };
  const { data } = await call(routes.readRateLimitsReached, { query: asked });
  const what = told(data);
  if (what === "") return null;
  return {
    title: "rate-limit-group.ask.reached",
    text: "rate-limit-group.ask.reached-text",
    words: { name: row.name, what },
    buttons: { yes: "rate-limit-group.ask.save-anyway", no: "rate-limit-group.ask.keep-editing" },
  };
}

function told({ accounts, members, larger }: RateLimitsReached): string {
  const counted = (count: number) => ({ count, shown: formatCount(count) });
  const codes = accounts.codes.join(", ") + (accounts.count > accounts.codes.length ? " …" : "");
  return [
    accounts.count > 0 && text("rate-limit-group.reached.accounts", { ...counted(accounts.count), codes }),
    members > 0 && text("rate-limit-group.reached.members", counted(members)),
    larger > 0 && text("rate-limit-group.reached.larger", counted(larger)),
  ]
    .filter((part) => part !== false)
    .join(" ");
}
