import { isDeepStrictEqual } from "node:util";
import type { Request } from "playwright";
import { describe, expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { heardOut } from "./at-rest.ts";
import { faults } from "./faults.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";
import type { Operator } from "./operator.ts";

// Rows without their history: only how they are walked is looked at.
const hall = testHall({ invariants: false });
const many = 7_000;

/** So many completed withdrawals, one a minute back from noon of 2026-11-20 in the tenant's zone; the n-th newest is for n. */
async function longFloor(): Promise<Floor> {
  const at = await makeFloor(hall, 0);
  await hall.db.owner.query(
    `insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, status, currency, method, member, customer_name,
        bank, account_number, holder, amount, final_amount, merchant_amount, created_at)
      select $1, 'withdrawal', 'W261120' || lpad(n::text, 7, '0'), $2, 'L' || n, 'completed', 'MYR', 'bank_transfer', 'M' || n % 100,
        'Customer ' || n, 'Maybank', (5000000 + n)::text, 'X', n, n, n, '2026-11-20T12:00:00+08:00'::timestamptz - n * interval '1 minute'
      from generate_series(1, $3::integer) n`,
    [at.office.tenant.id, at.merchant.id, many],
  );
  await hall.db.owner.query("analyze transactions");
  return at;
}

/** The row under the cursor: its number by the status bar, by the grid, and its customer's. */
async function standing({ page }: Operator): Promise<{ bar: string; index: number; customer: number }> {
  return page.evaluate(() => {
    const cell = document.getElementById(document.querySelector("[role=grid]")?.getAttribute("aria-activedescendant") ?? "");
    const row = cell?.closest("[role=row]");
    const words = (document.querySelector(".stat")?.textContent ?? "").replaceAll(",", "");
    return {
      bar: /Row \d+ \/ \d+/.exec(words)?.[0] ?? words,
      index: Number(row?.getAttribute("aria-rowindex") ?? 0),
      customer: Number(/Customer (\d+)/.exec([...(row?.children ?? [])].map(({ textContent }) => textContent).join(" "))?.[1] ?? 0),
    };
  });
}

/** A row stands where all three say it does: the newest is number 1, and the header is the grid's first row. */
const at = (n: number) => ({ bar: `Row ${n} / ${many}`, index: n + 1, customer: n });

/** 0: the cursor's row is not drawn yet. */
const isAbove = (row: number) => (customer: number) => customer > 0 && customer < row;

/** The number of the row the cursor has come to rest on, once all three say the same of it. */
async function resting(hands: Operator): Promise<number> {
  let here = await standing(hands);
  await expect
    .poll(async () => {
      here = await standing(hands);
      return { ...here, agreed: isDeepStrictEqual(here, at(here.customer)) };
    })
    .toMatchObject({ agreed: true });
  return here.customer;
}

async function openAll(hands: Operator): Promise<void> {
  await hands.pressAll("g", "w");
  await hands.page.locator(".tabs [role=tab]").first().waitFor();
  await hands.press("6");
  await expect.poll(() => standing(hands)).toEqual(at(1));
}

async function jump(hands: Operator, text: string): Promise<void> {
  await hands.page.keyboard.press("Shift+d");
  await hands.page.locator(".sheet input").waitFor();
  await hands.page.keyboard.type(text);
  await hands.press("Enter");
}

describe("a list of thousands, by keys alone", () => {
  test("PageDown held leads past what the memory holds; the ends are one key away; a date is found; and back up again", async () => {
    const hands = await sitDown(hall, await longFloor());
    const { page } = hands;
    await openAll(hands);
    await hands.watch();

    // beyond the 5,000 rows held; a mark set on the way stays
    await page.keyboard.press("x");
    const pageDown = async (): Promise<number> => {
      for (let held = 0; held < 7; held++) await page.keyboard.down("PageDown");
      await page.keyboard.up("PageDown");
      return (here = (await standing(hands)).index);
    };
    let here = 1;
    // pressed on, since a key at the end of what is held waits for nothing
    while (here < 5_400) await expect.poll(pageDown).toBeGreaterThan(here);
    expect(await resting(hands)).toBeGreaterThan(5_300);
    await page.locator(".stat", { hasText: "1 marked" }).waitFor();

    await page.keyboard.press("Control+End");
    await expect.poll(() => standing(hands)).toEqual(at(many));
    await page.keyboard.press("PageUp");
    await expect.poll(async () => (await standing(hands)).customer).toSatisfy(isAbove(many));
    await page.keyboard.press("Control+Home");
    await expect.poll(() => standing(hands)).toEqual(at(1));
    await page.keyboard.press("Shift+g");
    await expect.poll(() => standing(hands)).toEqual(at(many));
    await hands.pressAll("g", "g");
    await expect.poll(() => standing(hands)).toEqual(at(1));

    // a minute, then up over the head of the page it brought: nothing on screen moves but the cursor
    await jump(hands, "2026-11-18 12:00");
    await expect.poll(() => standing(hands)).toEqual(at(2_880));
    await expect
      .poll(async () => {
        await page.keyboard.press("ArrowUp");
        return (await standing(hands)).customer;
      })
      .toSatisfy(isAbove(2_880));
    // pressed on, since a key at the head of what is held waits for nothing
    await expect
      .poll(async () => {
        await page.keyboard.press("PageUp");
        return (await standing(hands)).customer;
      })
      .toSatisfy(isAbove(2_700));
    await resting(hands);
    // a day, newest first: its last minute
    await jump(hands, "2026-11-17");
    await expect.poll(() => standing(hands)).toEqual(at(3_601));
    expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
  });

  test("one that was moved in reads ahead while it rests: what is scrolled to then is there; counts have their thousands apart", async () => {
    const hands = await sitDown(hall, await longFloor());
    const { page } = hands;
    // no live line, whose first standing has the list read again: what is asked for is what moving asks for
    await page.routeWebSocket(/./, () => undefined);
    await page.goto(`${hall.url()}/payment/withdrawals?view=all`);
    await expect.poll(() => standing(hands)).toEqual(at(1));
    await page.locator(".tabs [aria-selected=true] em", { hasText: /^7,000$/ }).waitFor();
    await page.locator(".views .sum", { hasText: "7,000 rows" }).waitFor();
    const pages: string[] = [];
    const come: string[] = [];
    const noteIn = (kept: string[]) => (request: Request) => {
      if (new URL(request.url()).searchParams.has("cursor")) kept.push(request.url());
    };
    page.on("request", noteIn(pages));
    page.on("requestfinished", noteIn(come));
    await page.keyboard.press("PageDown");
    await expect.poll(() => pages.length).toBe(6);
    // and their rows are here
    await expect.poll(() => come.length).toBe(6);
    await heardOut(page);
    const shown = await page.evaluate(async () => {
      const scroller = document.querySelector("[role=grid]");
      scroller?.scrollTo({ top: 400 * 28 });
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
      return document.querySelector('.rows > .row[aria-rowindex="412"]')?.textContent;
    });
    expect(shown).toContain("Customer 411");
    // it rests again, further down
    await expect.poll(() => pages.length).toBeGreaterThan(6);
  });

  test("a link to a withdrawal thousands of rows down puts the cursor on it, where it stands; one there is none of is said", async () => {
    const floor = await longFloor();
    const hands = await sitDown(hall, floor);
    const { rows } = await hall.db.owner.query<{ id: string }>(
      "select id from transactions where tenant_id = $1 and customer_name = 'Customer 5000'",
      [floor.office.tenant.id],
    );
    await hands.page.goto(`${hall.url()}/payment/withdrawals?view=all&record=${rows[0]?.id ?? ""}`);
    await expect.poll(() => standing(hands)).toEqual(at(5_000));
    await hands.press("ArrowDown");
    await expect.poll(() => standing(hands)).toEqual(at(5_001));
    await hands.page.goto(`${hall.url()}/payment/withdrawals?view=all&record=${crypto.randomUUID()}`);
    await hands.said(/This record does not exist here/);
    await expect.poll(() => standing(hands)).toEqual(at(1));
  });

  test("in another order the jump offers to sort by time; what cannot be read stays to be mended", async () => {
    const hands = await sitDown(hall, await longFloor());
    const { page } = hands;
    await openAll(hands);
    await hands.pressAll("ArrowRight", "ArrowRight", "s");
    await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("amount");
    await hands.press("s");
    await expect.poll(() => standing(hands)).toEqual({ ...at(1), customer: many });
    await page.keyboard.press("Shift+d");
    await page.locator(".sheet", { hasText: "not sorted by time" }).waitFor();
    await hands.press("1");
    await page.locator(".sheet input[type=text]").waitFor();
    await page.keyboard.type("2026-11-1");
    await hands.press("Enter");
    await hands.said(/cannot be read/);
    await page.locator(".sheet input").waitFor();
    await page.keyboard.type("8 12:00");
    await hands.press("Enter");
    // the oldest first, as a column that is sorted anew
    await expect.poll(() => standing(hands)).toEqual({ ...at(many - 2_880 + 1), customer: 2_880 });
    expect(new URL(page.url()).searchParams.get("sort")).toBe("created_at");
  });

  test("the next key finds the sort of the last one drawn, while the page is still busy with itself", async () => {
    const hands = await sitDown(hall, await longFloor());
    const { page } = hands;
    for (let turn = 0; turn < 5; turn++) {
      // a page just loaded, which has the most to do
      await page.goto(`${hall.url()}/payment/withdrawals?view=all`);
      await page.locator(".stat", { hasText: "Row 1" }).waitFor();
      await hands.pressAll("ArrowRight", "ArrowRight", "s");
      await expect.poll(() => new URL(page.url()).searchParams.get("sort")).toBe("amount");
      await hands.press("s");
      await expect.poll(async () => (await standing(hands)).customer).toBe(many);
      expect(new URL(page.url()).searchParams.get("sort")).toBe("-amount");
    }
  });

  test("all of thousands are marked by Mod+A twice; axe finds nothing on the offer nor on what then stands there", async () => {
    const hands = await sitDown(hall, await longFloor());
    const { page } = hands;
    await openAll(hands);
    const found = async (shows: string): Promise<string[]> => {
      await page.locator(shows).waitFor();
      await page.emulateMedia({ colorScheme: "light" });
      const light = await faults(page, shows);
      await page.emulateMedia({ colorScheme: "dark" });
      return [...light, ...(await faults(page, shows))];
    };
    await page.keyboard.press("Control+a");
    expect(await found(".everything:not(.on)")).toEqual([]);
    await page.keyboard.press("Control+a");
    expect(await found(".everything.on")).toEqual([]);
  });

  test("after a jump to the last row a click takes the row it points at", async () => {
    const hands = await sitDown(hall, await longFloor());
    const { page } = hands;
    await openAll(hands);
    await page.keyboard.press("Control+End");
    await expect.poll(() => standing(hands)).toEqual(at(many));
    // where it stands in view: a click by its cell would scroll one that is on its way there
    const point = await page.waitForFunction(
      (name) => {
        const view = document.querySelector("[role=grid]")?.getBoundingClientRect();
        const cell = [...document.querySelectorAll("[role=gridcell]")].find(({ textContent }) => textContent === name);
        const box = cell?.getBoundingClientRect();
        return view && box && box.top > view.top && box.bottom < view.bottom ? { x: box.left + 4, y: box.top + 4 } : null;
      },
      `Customer ${many - 5}`,
    );
    const { x, y } = (await point.jsonValue()) ?? { x: 0, y: 0 };
    await page.mouse.click(x, y);
    await expect.poll(() => standing(hands)).toEqual(at(many - 5));
  });
});
