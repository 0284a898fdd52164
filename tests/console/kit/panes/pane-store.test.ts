import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPaneStore } from "../../../../src/console/kit/panes/pane-store.ts";

beforeEach(() => void vi.stubGlobal("document", { activeElement: null }));
afterEach(() => vi.unstubAllGlobals());

test("the key of a pane that a zoomed one covers shows it: it ends the zoom and hides nothing", () => {
  const panes = createPaneStore();
  panes.zoom();
  expect(panes.getState().zoomed).toBe("list");
  panes.toggle("detail");
  expect(panes.getState()).toMatchObject({ zoomed: null, hidden: {} });
  panes.toggle("detail");
  expect(panes.getState()).toMatchObject({ zoomed: null, hidden: { detail: true } });
});

test("a hidden pane that a zoomed one covers is shown by its key as well", () => {
  const panes = createPaneStore();
  panes.toggle("detail");
  panes.zoom();
  panes.toggle("detail");
  expect(panes.getState()).toMatchObject({ zoomed: null, hidden: {} });
});
