import { expect, test } from "vitest";
import { makeAccount } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeOffice } from "../support/payments.ts";
import { makePdf, makePng } from "../support/receipts.ts";
import { transfersBy } from "../support/transfers.ts";
import { dropFile } from "./drop-file.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

/** Lays a picture on the clipboard, as a screen shot does. */
async function copyPicture({ page }: Operator, png: Buffer): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) })]);
  }, png.toString("base64"));
}

test("by keys alone: a picture is pasted into the detail, shown large, zoomed and closed", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.pressAll("g", "w");
  await page.getByText("Receipt unavailable").waitFor();
  await copyPicture(hands, makePng({ width: 64, height: 64 }));
  await hands.pressAll("w", "d");
  await hands.press("v", { mod: true });
  await page.locator(".receipt .thumb img").waitFor();
  expect(await page.getByText("Receipt unavailable").count()).toBe(0);
  await page.keyboard.press("Shift+O");
  const picture = page.locator(".receipt-picture");
  await picture.locator("img").waitFor();
  const width = async () => (await picture.boundingBox())?.width ?? 0;
  const whole = await width();
  await page.keyboard.press("+");
  await expect.poll(async () => Math.round((await width()) / whole / 0.25)).toBe(5);
  await page.keyboard.press("0");
  await expect.poll(width).toBe(whole);
  await page.keyboard.press("r");
  await picture.locator("img[data-turns='1']").waitFor();
  await hands.press("Escape");
  await expect.poll(() => page.locator(".receipt-stage").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test("a picture dropped on the detail is its receipt", async () => {
  const at = await makeFloor(hall, 1);
  const { page } = await sitDown(hall, at);
  await page.getByText("Receipt unavailable").waitFor();
  await dropFile(page.locator("[data-side=main] .detail .decide"), "slip.png", makePng({ width: 64, height: 64 }));
  await page.locator(".receipt .thumb img").waitFor();
  expect(await page.getByText("Receipt unavailable").count()).toBe(0);
});

test("a document is chosen in the browser's dialog and its pages turned; a file that is none is refused in place", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.pressAll("g", "w");
  const add = page.locator(".receipts h2 button");
  const choose = async (name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), add.press("Enter")]);
    await chooser.setFiles({ name, mimeType: "application/pdf", buffer });
  };
  await choose("notes.pdf", Buffer.from("no document"));
  await page.locator(".receipts [role=alert]").getByText("A receipt must be a PNG, JPEG, WebP or PDF file.").waitFor();
  await choose("slip.pdf", makePdf({ pages: 3 }));
  await page.locator(".receipt").getByText("slip.pdf").waitFor();
  await page.locator(".receipt").press("Enter");
  await page.getByText("Page 1 of 3").waitFor();
  await page.keyboard.press("PageDown");
  await page.getByText("Page 2 of 3").first().waitFor();
  await expect.poll(() => page.locator(".receipt-stage p.sr").textContent()).toContain("Receipt");
  await hands.press("Escape");
});

test("a transfer's receipt is pasted into its detail and shown large by its key", async () => {
  const office = await makeOffice(hall.db);
  await transfersBy(office).transfer(
    await makeAccount(hall.db, office.tenant, { balance: "1000" }),
    await makeAccount(hall.db, office.tenant),
  );
  const acts = ["view", "receipt"].map((act) => `pas.transaction.transfers.${act}`);
  const hands = await sitDown(hall, { operator: await hall.employ(office, "Hana Idris", acts) }, "us", { path: "/payment/transfers" });
  const { page } = hands;
  await page.getByText("Receipt unavailable").waitFor();
  await copyPicture(hands, makePng({ width: 64, height: 64 }));
  await hands.pressAll("w", "d");
  await hands.press("v", { mod: true });
  await page.locator(".receipt .thumb img").waitFor();
  expect(await page.getByText("Receipt unavailable").count()).toBe(0);
  await page.keyboard.press("Shift+O");
  await page.locator(".receipt-picture img").waitFor();
  await hands.press("Escape");
  await expect.poll(() => page.locator(".receipt-stage").count()).toBe(0);
});
