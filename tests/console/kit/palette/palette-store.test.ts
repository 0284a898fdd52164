import { expect, test } from "vitest";
import { createPaletteStore } from "../../../../src/console/kit/palette/palette-store.ts";
import { aContext, aPane, aRow } from "../fakes.ts";

const at = (cursor: string | null, id = "merchant.list") =>
  aContext({ pane: aPane({ id, cursor: cursor === null ? null : aRow(cursor) }) });

test("where no row was under the cursor at the opening, the one that comes is acted on, and stays", () => {
  const palette = createPaletteStore();
  palette.open(at(null), ".");
  const under = () => palette.getState().context?.pane?.cursor;
  palette.rowCame(at(null));
  expect(under()).toBeNull();
  palette.rowCame(at("first"));
  expect(under()).toEqual(aRow("first"));
  palette.rowCame(at("second"));
  expect(under()).toEqual(aRow("first"));
  expect(palette.getState().text).toBe(".");
});

test("a row of another list, and one that comes to a closed palette, is none of its business", () => {
  const palette = createPaletteStore();
  palette.rowCame(at("first"));
  expect(palette.getState().context).toBeNull();
  palette.open(at(null), ".");
  palette.rowCame(at("first", "withdrawal.list"));
  expect(palette.getState().context?.pane?.cursor).toBeNull();
});
