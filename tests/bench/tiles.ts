import { createHash } from "node:crypto";
import pg from "pg";
import { chromium } from "playwright";
import sharp from "sharp";
import { browserArguments, findBrowser } from "../support/browser.ts";
import { serverProcess } from "../support/processes.ts";
import type { WheelFigures } from "./grid/wheel.ts";
import { wheel } from "./grid/wheel.ts";

const pictures = 200;

/** Gives a set-up of the demo so many games more, each with one of 200 pictures; answers its id. */
async function addGames(owner: pg.Client, count: number): Promise<string> {
  const files = await Promise.all(
    Array.from({ length: pictures }, async (_, n) => {
      const colour = { r: (n * 37) % 256, g: (n * 91) % 256, b: (n * 151) % 256 };
      const sized = (edge: number) =>
        sharp({ create: { width: edge, height: edge, channels: 3, background: colour } })
          .webp()
          .toBuffer();
      return { hash: createHash("sha256").update(String(n)).digest(), small: await sized(96), large: await sized(320) };
    }),
  );
  const { rows } = await owner.query<{ id: string; tenant_id: string }>(
    "select p.id, p.tenant_id from merchant_providers p join tenants t on t.id = p.tenant_id where t.code = 'MHP' and p.currency = 'MYR' order by p.id limit 1",
  );
  const { id = "", tenant_id = "" } = rows[0] ?? {};
  await owner.query(
    "insert into game_images (tenant_id, hash, small, large) select $1, i.* from unnest($2::bytea[], $3::bytea[], $4::bytea[]) i",
    [tenant_id, files.map(({ hash }) => hash), files.map(({ small }) => small), files.map(({ large }) => large)],
  );
  await owner.query(
    `insert into provider_games (tenant_id, currency, merchant_provider_id, code, name, type, image)
      select $1, 'MYR', $2, 'bench-' || n, 'Bench ' || n, 'slot', ($4::bytea[])[n % $5 + 1] from generate_series(1, $3) n`,
    [tenant_id, id, count, files.map(({ hash }) => hash), pictures],
  );
  return id;
}

/** Runs in the page: so many pictures in the same places, all there and laid out by the browser alone. */
function plainPictures(count: number): void {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [160, 160];
  const address = canvas.toDataURL();
  document.body.innerHTML = `<div style="display: grid; grid-template-columns: repeat(auto-fill, 176px); gap: 8px">${`<div style="block-size: 232px; content-visibility: auto; contain-intrinsic-size: 176px 232px"><img src="${address}" alt="" width="160" height="160"><p>Bench</p></div>`.repeat(count)}</div>`;
}

/** Frames under the wheel over so many games as pictures, beside an empty page and pictures that nobody manages, in one browser. */
export async function benchTiles(count: number): Promise<WheelFigures[]> {
  const server = await serverProcess({ DEMO: "true" });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  try {
    await server.start();
    const owner = new pg.Client({ connectionString: await server.connectionString() });
    await owner.connect();
    const provider = await addGames(owner, count);
    await owner.end();
    const context = await browser.newContext({ viewport: { width: 1600, height: 900 }, locale: "en-US" });
    const page = await context.newPage();
    await page.setContent(`<div style="block-size: 400000px; background: linear-gradient(white, black)"></div>`);
    const figures = [await wheel(page, "floor: an empty page")];
    await page.evaluate(plainPictures, count);
    figures.push(await wheel(page, "floor: as many pictures, laid out by the browser alone"));
    await page.goto(`${server.url}/login`);
    await page.getByLabel("E-mail").fill("farah@demo.example");
    await page.getByLabel("Password", { exact: true }).fill("countinghouse");
    await page.keyboard.press("Enter");
    await page.waitForURL((at) => at.pathname !== "/login");
    await page.goto(`${server.url}/game-provider/merchant-providers/${provider}/games?shape=tiles`);
    await page.locator(".game-tile img").first().waitFor();
    await page.waitForTimeout(1_000);
    figures.push(await wheel(page, `${count.toLocaleString("en-US")} games as pictures`));
    return figures;
  } finally {
    await browser.close();
    await server.end();
  }
}
