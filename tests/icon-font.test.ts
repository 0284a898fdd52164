import { createCanvas, loadImage, Path2D } from "@napi-rs/canvas";
import type { SKRSContext2D } from "@napi-rs/canvas";
// oxlint-disable-next-line import/default -- Node.js takes its CommonJS file, whose exports are the default
import opentype from "opentype.js";
import { expect, test, vi } from "vitest";
import { iconFont } from "../src/console/icon-font/icon-font.ts";
import { glyphOf, iconNames } from "../src/console/kit/look/icon-names.ts";
import type { IconName } from "../src/console/kit/look/icon-names.ts";
import { iconShapes } from "../src/console/kit/look/icon-shapes.ts";

const pixels = 160;
const bytes = iconFont();
const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);

/** How much ink each pixel has, from 0 to 255. */
async function inkOf(draw: (context: SKRSContext2D) => Promise<void> | void): Promise<Uint8Array> {
  const context = createCanvas(pixels, pixels).getContext("2d");
  await draw(context);
  return context.getImageData(0, 0, pixels, pixels).data.filter((_, n) => n % 4 === 3) as unknown as Uint8Array;
}

/** The drawing as a browser draws an SVG, shape after shape. */
const asDrawn = (name: IconName) => async (context: SKRSContext2D) => {
  for (const [shape] of iconShapes[name].matchAll(/<[^>]*>/g)) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 16 16" fill="none" stroke="black" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round">${shape}</svg>`;
    context.globalCompositeOperation = shape.includes('class="cut"') ? "destination-out" : "source-over";
    // oxlint-disable-next-line no-await-in-loop -- each lies over those before
    context.drawImage(await loadImage(Buffer.from(svg)), 0, 0);
  }
};

const asGlyph = (name: IconName) => (context: SKRSContext2D) =>
  context.fill(new Path2D(font.charToGlyph(glyphOf(name)).getPath(0, pixels, pixels).toPathData(3)));

test.each(iconNames)("the glyph of %s has the ink of its drawing", async (name) => {
  const [drawn, glyph] = await Promise.all([inkOf(asDrawn(name)), inkOf(asGlyph(name))]);
  let ink = 0;
  let differs = 0;
  for (const [n, one] of drawn.entries()) {
    ink += one;
    differs += Math.abs(one - (glyph[n] ?? 0));
  }
  expect(ink).toBeGreaterThan(0);
  // the glyph's curves are lines between points, so that its edge differs by a part of a pixel
  expect(differs / ink).toBeLessThan(0.03);
});

test("no two icons have one character, and each is as wide as high", () => {
  expect(new Set(iconNames.map(glyphOf)).size).toBe(iconNames.length);
  expect(new Set(iconNames.map((name) => font.charToGlyph(glyphOf(name)).advanceWidth))).toEqual(new Set([font.unitsPerEm]));
});

/** Of 32-bit words, as the format has it. */
const sumOf = (part: Buffer): number => {
  let sum = 0;
  for (let at = 0; at + 4 <= part.length; at += 4) sum = (sum + part.readUInt32BE(at)) >>> 0;
  return sum;
};

test("it is the same bytes whenever it is made, with sums that are right", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-05-06T07:08:09Z") });
  expect(iconFont().equals(bytes)).toBe(true);
  vi.useRealTimers();
  const record = bytes.indexOf("head");
  const [sum, offset, length] = [4, 8, 12].map((at) => bytes.readUInt32BE(record + at)) as [number, number, number]; // three of three
  const head = Buffer.from(bytes.subarray(offset, offset + Math.ceil(length / 4) * 4));
  head.writeUInt32BE(0, 8); // what is written there later
  expect(sumOf(head)).toBe(sum);
  expect(sumOf(bytes)).toBe(0xb1b0afba);
});
