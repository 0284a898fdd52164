import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import type { GameType } from "../../contract/provider-games.ts";
import { imageSizes } from "../../contract/provider-games.ts";
import { providerCredentialPlace } from "../secrets/secrets.ts";
import type { SecretBox } from "../secrets/secrets.ts";
import { insertRows } from "./insert.ts";
import { seededRandom } from "./random.ts";

const providers: readonly (readonly [name: string, types: readonly GameType[]])[] = [
  ["Lotus Gaming", ["slot", "arcade", "crash"]],
  ["Andaman Live", ["live", "table", "poker"]],
  ["Mekong Fishing", ["fishing", "arcade"]],
  ["Straits Sportsbook", ["sports", "lottery"]],
];
/** By provider: how the code of the house's account there begins. */
const houseAccounts: Readonly<Record<string, string>> = {
  "Lotus Gaming": "LOTUS-",
  "Andaman Live": "REEF-",
  "Mekong Fishing": "KITE-",
  "Straits Sportsbook": "DRAGON-",
};
const first = ["Dragon", "Golden", "Jade", "Lucky", "Midnight", "Monsoon", "Pearl", "Royal", "Silk", "Thunder"];
const second = ["Bay", "Blossom", "Harbour", "Lantern", "Palace", "River", "Temple", "Tiger"];

/** A picture of two colours that run into each other, as somebody might have given it. */
async function picture(from: readonly number[], to: readonly number[]): Promise<Record<keyof typeof imageSizes, Buffer>> {
  const { default: sharp } = await import("sharp");
  const sized = async (edge: number) => {
    const raw = Buffer.alloc(edge * edge * 3);
    for (let at = 0; at < edge * edge; at++) {
      const part = ((at % edge) + Math.floor(at / edge)) / (2 * edge);
      for (const [channel, value] of from.entries()) raw[at * 3 + channel] = Math.round(value + ((to[channel] ?? 0) - value) * part);
    }
    return sharp(raw, { raw: { width: edge, height: edge, channels: 3 } })
      .webp({ quality: 80 })
      .toBuffer();
  };
  return { small: await sized(imageSizes.small), large: await sized(imageSizes.large) };
}

export interface DemoMerchants {
  readonly tenant: string;
  readonly currency: string;
  readonly merchants: readonly { readonly id: string; readonly code: string }[];
}

/** What some merchants of a book are set up with at game providers, from a generator of its own, so that the rest of the demo stays the same. */
export async function insertGameProviders(
  client: ClientBase,
  { tenant, currency, merchants }: DemoMerchants,
  { secrets, seed, since }: { secrets: SecretBox; seed: number; since: number },
): Promise<void> {
  const random = seededRandom(seed);
  const at = new Date(since);
  const stamps = ["created_at timestamptz", "updated_at timestamptz"];
  const colour = () => [random.whole(30, 230), random.whole(30, 230), random.whole(30, 230)];
  const pictures = await Promise.all(Array.from({ length: 8 }, () => picture(colour(), colour())));
  const hashes = pictures.map(({ large }) => createHash("sha256").update(large).digest());
  await client.query(
    `insert into game_images (tenant_id, hash, small, large, created_at)
      select $1, p.hash, p.small, p.large, $5 from unnest($2::bytea[], $3::bytea[], $4::bytea[]) p (hash, small, large) on conflict do nothing`,
    [tenant, hashes, pictures.map(({ small }) => small), pictures.map(({ large }) => large), at],
  );
  const setUps = merchants.slice(0, 4).flatMap((merchant, n) =>
    providers.slice(0, 1 + ((n + 2) % providers.length)).flatMap(([name, types], p) =>
      // the first is there twice: in production, and in test where its next games are tried
      (p === 0 ? [true, false] : [n % 2 === 0]).map((isProd) => ({ merchant, name, types, isProd, id: random.uuid(since) })),
    ),
  );
  const host = (name: string) => name.toLowerCase().replaceAll(" ", "-");
  await insertRows(
    client,
    "merchant_providers",
    [
      "tenant_id uuid",
      "id uuid",
      "currency text",
      "merchant_id uuid",
      "name text",
      "is_prod boolean",
      "platform_type text",
      "pt numeric",
      "website_url text",
      "backoffice_url text",
      "callback_url text",
      "deep_link text",
      "api_credential bytea",
      ...stamps,
    ],
    setUps.map(({ merchant, name, isProd, id }, n) => [
      tenant,
      id,
      currency,
      merchant.id,
      name,
      isProd,
      (["web", "mobile", "app"] as const)[n % 3],
      String(8 + (n % 5) * 1.5),
      `https://${isProd ? "play" : "stage"}.${host(name)}.example`,
      `https://office.${host(name)}.example`,
      `https://games.${merchant.code.toLowerCase()}.example/callback`,
      `${host(name)}://lobby`,
      secrets.seal(
        JSON.stringify({ operator: merchant.code, key: random.digits(24) }),
        providerCredentialPlace("api_credential")(tenant, id),
      ),
      at,
      at,
    ]),
  );
  await insertRows(
    client,
    "provider_games",
    [
      "tenant_id uuid",
      "id uuid",
      "currency text",
      "merchant_provider_id uuid",
      "code text",
      "name text",
      "type text",
      "status text",
      "image bytea",
      ...stamps,
    ],
    setUps.flatMap(({ id, types }) =>
      Array.from({ length: random.whole(18, 48) }, (_, n) => [
        tenant,
        random.uuid(since),
        currency,
        id,
        `${types[n % types.length]}-${String(n + 1).padStart(3, "0")}`,
        `${first[n % first.length]} ${second[Math.floor(n / first.length) % second.length]}`,
        types[n % types.length],
        random.chance(0.12) ? "inactive" : "active",
        random.chance(0.85) ? (hashes[n % hashes.length] ?? null) : null,
        at,
        at,
      ]),
    ),
  );
  await client.query(
    `update merchant_providers p set master_account_id = a.id from master_accounts a, jsonb_each_text($3::jsonb) of (name, code)
      where p.tenant_id = $1 and p.currency = $2 and p.name = of.name and a.tenant_id = p.tenant_id and a.currency = p.currency
        and a.code like of.code || '%'`,
    [tenant, currency, JSON.stringify(houseAccounts)],
  );
}
