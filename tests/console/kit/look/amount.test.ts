import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeAll, expect, test } from "vitest";
import { Amount } from "../../../../src/console/kit/look/amount.tsx";
import { setAmountDecimals } from "../../../../src/console/kit/look/amounts.ts";
import { inLanguage } from "../../in-language.ts";

beforeAll(() => inLanguage("en"));
afterEach(() => setAmountDecimals(2));

test("an amount has the decimals of the selected currency, or of its own where that is said", () => {
  setAmountDecimals(0);
  const shown = (decimals?: number) => renderToStaticMarkup(createElement(Amount, { text: "1250.50", decimals }));
  expect([shown(), shown(2)]).toEqual(["<bdi>1,250</bdi>", "<bdi>1,250.50</bdi>"]);
});
