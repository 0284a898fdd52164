import { Path2D, PathOp, StrokeCap, StrokeJoin } from "@napi-rs/canvas";
// oxlint-disable-next-line import/default -- Node.js takes its CommonJS file, whose exports are the default
import opentype from "opentype.js";
import type { Glyph, Path } from "opentype.js";
import simplify from "simplify-js";
import { glyphOf, iconNames } from "../kit/look/icon-names.ts";
import type { IconName } from "../kit/look/icon-names.ts";
import { iconShapes } from "../kit/look/icon-shapes.ts";

/** Side of an icon in the units of its drawing. */
const side = 16;
/** Units of the font for each of these. */
const scale = 64;
/** How far, in units of the drawing, a corner may lie from the line that leaves it out: a hundredth of a pixel at an icon's usual size. */
const tolerance = 0.01;
/** How much larger than drawn an icon is when its lines become outlines, because the library rounds curves to about a unit's tenth. */
const precision = 16;
const lineWidth = 1.4;

interface Shape {
  readonly tag: string;
  readonly has: Readonly<Record<string, string>>;
}

/** The font of all icons: an OpenType file. Throws with the icon's name if its drawing has what is not understood. */
export function iconFont(): Buffer {
  const font = new opentype.Font({
    familyName: "icons",
    styleName: "Regular",
    unitsPerEm: side * scale,
    ascender: side * scale,
    descender: 0,
    glyphs: [
      glyph(".notdef", undefined, new opentype.Path()),
      ...iconNames.map((name) => glyph(name, glyphOf(name).codePointAt(0), glyphPath(name))),
    ],
  });
  return withoutTimes(Buffer.from(font.toArrayBuffer()));
}

/** Where in the table "head" stand its sum over the file and the times of creation and change, each in bytes. */
const [sumAt, timesAt, timesEnd] = [8, 20, 36];

/**
 * Takes out the time at which the library ran and corrects the sums. The same icons are the same bytes then, so that the same sources get
 * the same file names wherever they are built: a page of one machine may ask another for a file.
 */
function withoutTimes(font: Buffer): Buffer {
  const record = font.indexOf("head", 0, "latin1");
  const head = font.readUInt32BE(record + 8);
  let taken = 0;
  for (let at = head + timesAt; at < head + timesEnd; at += 4) {
    taken += font.readUInt32BE(at);
    font.writeUInt32BE(0, at);
  }
  font.writeUInt32BE((font.readUInt32BE(record + 4) - taken) >>> 0, record + 4);
  // the table is less by it, and so is the sum in its record
  font.writeUInt32BE((font.readUInt32BE(head + sumAt) + 2 * taken) >>> 0, head + sumAt);
  return font;
}

const glyph = (name: string, unicode: number | undefined, path: Path): Glyph =>
  new opentype.Glyph({ name, ...(unicode !== undefined && { unicode }), advanceWidth: side * scale, path });

function glyphPath(name: IconName): Path {
  let drawn = new Path2D();
  for (const shape of shapesOf(iconShapes[name])) drawn = added(drawn, shape, name);
  const path = new opentype.Path();
  for (const [start, ...corners] of wound(outlinesOf(drawn, name))) {
    if (!start) continue;
    path.moveTo(start.x, start.y);
    for (const { x, y } of corners) path.lineTo(x, y);
    path.close();
  }
  return path;
}

const shapesOf = (drawing: string): Shape[] =>
  [...drawing.matchAll(/<(\w+)\s([^>]*)\/>/g)].map(([, tag = "", attributes = ""]) => ({
    tag,
    has: Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value])),
  }));

/** What is drawn, with one shape more: filled, its line, or taken out. */
function added(drawn: Path2D, { tag, has }: Shape, name: IconName): Path2D {
  const path = geometry(tag, has, name).transform({ a: precision, b: 0, c: 0, d: -precision, e: 0, f: side * precision });
  const filled = has["fill"] === "currentColor" ? drawn.op(path, PathOp.Union) : drawn;
  if (has["stroke"] === "none") return filled;
  const [on, off] = (has["stroke-dasharray"] ?? "").split(" ").map(Number);
  const width = Number(has["stroke-width"] ?? lineWidth) * precision;
  const line = (on !== undefined && off !== undefined ? path.dash(on * precision, off * precision, 0) : path).stroke({
    width,
    cap: StrokeCap.Round,
    join: StrokeJoin.Round,
  });
  return filled.op(line, has["class"] === "cut" ? PathOp.Difference : PathOp.Union);
}

function geometry(tag: string, has: Shape["has"], name: IconName): Path2D {
  const number = (key: string): number => Number(has[key] ?? 0);
  if (tag === "path") return new Path2D(has["d"]);
  const path = new Path2D();
  if (tag === "circle") {
    path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
    path.closePath();
  } else if (tag === "rect") path.roundRect(number("x"), number("y"), number("width"), number("height"), number("rx"));
  else throw new Error(`the icon ${name} has a <${tag}>, which is not drawn`);
  return path;
}

interface Point {
  readonly x: number;
  readonly y: number;
}
/** The corners of a closed line. */
type Outline = readonly Point[];

/** The outlines of a path, in units of the font, its curves as lines that differ from them by no more than `tolerance`. */
function outlinesOf(path: Path2D, name: IconName): Outline[] {
  const outlines: Point[][] = [];
  for (const [, command = "", written = ""] of path.toSVGString().matchAll(/([A-Z])([^A-Z]*)/gi)) {
    const numbers = written.split(/[\s,]+/).filter((part) => part !== "");
    const [one, two, three] = [0, 2, 4].map((n) => ({ x: Number(numbers[n]), y: Number(numbers[n + 1]) }));
    const last = outlines.at(-1);
    const from = last?.at(-1);
    if (command === "M" && one) outlines.push([one]);
    else if (command === "L" && one) last?.push(one);
    else if (command === "Q" && from && one && two) last?.push(...curve([from, one, two]));
    else if (command === "C" && from && one && two && three) last?.push(...curve([from, one, two, three]));
    else if (command !== "Z") throw new Error(`the outline of the icon ${name} has a ${command}, which is not understood`);
  }
  return outlines.map((outline) => simplify(outline, tolerance * precision, true).map(({ x, y }) => ({ x: inUnits(x), y: inUnits(y) })));
}

const inUnits = (n: number): number => Math.round((n * scale) / precision);

/** Points of a Bézier curve, without its first. */
function curve(controls: readonly Point[]): Point[] {
  const steps = 8;
  return Array.from({ length: steps }, (_, n) => pointOf(controls, (n + 1) / steps));
}

function pointOf(controls: readonly Point[], t: number): Point {
  const [only, next] = controls;
  if (!only || !next) return only ?? { x: 0, y: 0 };
  const between = controls.slice(1).map((b, n) => {
    const a = controls[n] ?? b;
    return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
  });
  return pointOf(between, t);
}

/** Outlines that bound ink turn one way, those of holes the other: fonts fill what is wound around, and the library winds as it likes. */
const wound = (outlines: readonly Outline[]): Outline[] =>
  outlines.map((outline) => {
    const [start] = outline;
    const around = outlines.filter((other) => start && other !== outline && isWithin(start, other)).length;
    return area(outline) > 0 === (around % 2 === 0) ? outline : outline.toReversed();
  });

function isWithin({ x, y }: Point, outline: Outline): boolean {
  let within = false;
  for (const [n, a] of outline.entries()) {
    const b = outline.at(n - 1);
    if (b && a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) within = !within;
  }
  return within;
}

/** Twice the area of an outline: positive if its corners turn to the left. */
function area(outline: Outline): number {
  let sum = 0;
  for (const [n, b] of outline.entries()) {
    const a = outline.at(n - 1);
    if (a) sum += a.x * b.y - b.x * a.y;
  }
  return sum;
}
