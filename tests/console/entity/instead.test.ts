import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { Empty } from "../../../src/console/entity/instead.tsx";
import type { Filters } from "../../../src/console/lists/filters.ts";
import { transfers } from "../../../src/console/screens/transfers/transfers-entity.ts";
import { inLanguage } from "../in-language.ts";

// what the buttons offer is the registry's, not of these words
vi.mock("../../../src/console/kit/look/command-button.tsx", () => ({ CommandButton: () => null }));
beforeAll(() => inLanguage("en"));

const said = (filters: Filters) =>
  renderToStaticMarkup(createElement(Empty, { entity: transfers, filters, onFilters: () => undefined }))
    .replaceAll(/<[^>]+>/g, " ")
    .trim();

test.each([
  ["nobody has filtered, and it is the list of all", {}, "Nothing here yet."],
  ["a view of the screen is open as it is", { awaits: "first,second" }, "Nothing in “To decide” now."],
  ["it is narrowed further", { awaits: "first,second", kind: "transfer" }, "Nothing matches these filters."],
  ["something else is chosen for it", { awaits: "first" }, "Nothing matches these filters."],
] satisfies [string, Filters, string][])("without rows, where %s, it says so", (_, filters, words) => {
  expect(said(filters)).toBe(words);
});
