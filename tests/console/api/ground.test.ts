import { describe, expect, test } from "vitest";
import { createFormats, spanText } from "../../../src/console/api/formats.ts";
import { initials } from "../../../src/console/api/initials.ts";
import { isSecure } from "../../../src/console/api/jar.ts";
import { options } from "../../../src/console/api/live.ts";
import { createSelection } from "../../../src/console/api/selection.ts";
import { createServerTime } from "../../../src/console/api/server-time.ts";
import { expiryOf } from "../../../src/console/api/tokens.ts";
import { setAmountDecimals } from "../../../src/console/kit/look/amounts.ts";
import { accessToken, memoryJar, memoryTab } from "./tab-and-server.ts";

test("cookies are secure wherever the browser can keep them so", () => {
  expect(isSecure("https:", "pay.example")).toBe(true);
  expect(isSecure("http:", "localhost")).toBe(true);
  expect(isSecure("http:", "127.0.0.1")).toBe(true);
  expect(isSecure("http:", "10.0.0.7")).toBe(false);
  expect(isSecure("http:", "127.0.0.1.evil.example")).toBe(false);
});

test("tenant and currency belong to the tab; a new tab begins with the last chosen", () => {
  const jar = memoryJar();
  const [first, second] = [createSelection(jar, memoryTab()), createSelection(jar, memoryTab())];
  first.chooseTenant("a");
  expect(second.tenant()).toBe("a");
  second.chooseTenant("b");
  expect([first.tenant(), second.tenant(), createSelection(jar, memoryTab()).tenant()]).toEqual(["a", "b", "b"]);
  first.chooseCurrency("MYR");
  expect([jar.days.get("tenant_id"), jar.days.get("currency")]).toEqual([2, 7]);
});

test("an unreadable token counts as long expired", () => {
  expect(expiryOf(accessToken(1_700_000_000_000))).toBe(1_700_000_000_000);
  for (const token of [null, "", "x", "a.b.c", "a.e30.c"]) expect(expiryOf(token)).toBe(0);
});

describe("the server's clock", () => {
  test("an exact time wins, and a header within its own tolerance does not change it", () => {
    const time = createServerTime(() => 1_000_000);
    time.noteExact(new Date(1_060_250).toISOString());
    time.noteHeader(new Date(1_060_000).toUTCString());
    expect(time.now()).toBe(1_060_250);
    time.noteHeader(new Date(1_090_000).toUTCString());
    expect(time.now()).toBe(1_090_500);
  });

  test("an unreadable time is ignored", () => {
    const time = createServerTime(() => 5_000);
    time.noteHeader(null);
    time.noteHeader("yesterday");
    time.noteExact("");
    expect(time.now()).toBe(5_000);
  });
});

describe("formats", () => {
  const at = "2026-11-21T18:32:09.000Z";

  test("times are in the currency's zone, YYYY-MM-DD hh:mm A", () => {
    expect(createFormats("+08:00").time(at)).toBe("2026-11-22 02:32 AM");
    expect(createFormats("-03:30").time(at)).toBe("2026-11-21 03:02 PM");
    expect(createFormats(5.75).time(at)).toBe("2026-11-22 12:17 AM");
  });

  test("an offset of less than an hour counts as minutes, not hours", () => {
    expect(createFormats("+00:10").time(at)).toBe("2026-11-21 06:42 PM");
  });

  test("a missing or unreadable zone is +08:00", () => {
    for (const gmt of [null, undefined, "Asia/Kuala_Lumpur"]) expect(createFormats(gmt).zoneText).toBe("+08:00");
  });

  test("UTC is YYYY-MM-DD HH:mm:ss", () => expect(createFormats("+08:00").utc(at)).toBe("2026-11-21 18:32:09"));

  test("a missing instant is an empty text", () => {
    const formats = createFormats("+08:00");
    expect([formats.time(null), formats.time("soon"), formats.clock(null)]).toEqual(["", "", ""]);
  });

  test("an invalid amount shows 0.00", () => {
    const formats = createFormats("+08:00");
    expect([formats.amount("1234567.5"), formats.amount("x"), formats.amount(null)]).toEqual(["1,234,567.50", "0.00", "0.00"]);
  });

  test("spans grow from minutes to days", () => {
    expect([0, 278_000, 5_332_000, 93_784_000, -1].map(spanText)).toEqual(["00:00", "04:38", "1:28:52", "1d 02h", "00:00"]);
  });
});

describe("the realtime client", () => {
  const none = () => {};
  const page = { hostname: "pay.example", port: "8443", protocol: "https:" };

  test("by default speaks to the page's own host and port", () => {
    const own = options({ key: "k", cluster: "", host: null, port: null, tls: false }, page, none);
    expect(own).toMatchObject({ wsHost: "pay.example", wsPort: 8443, wssPort: 8443, forceTLS: true, enabledTransports: ["ws", "wss"] });
    const plain = options(
      { key: "k", cluster: "", host: null, port: null, tls: true },
      { hostname: "127.0.0.1", port: "", protocol: "http:" },
      none,
    );
    expect(plain).toMatchObject({ wsHost: "127.0.0.1", wsPort: 80, forceTLS: false });
  });

  test("speaks to a configured service as configured", () => {
    const other = options({ key: "k", cluster: "", host: "realtime.example", port: null, tls: true }, page, none);
    expect(other).toMatchObject({ wsHost: "realtime.example", wssPort: 443, forceTLS: true });
  });

  test("a service named by its cluster keeps its own host, which the client would otherwise replace by ours", () => {
    const named = options({ key: "k", cluster: "ap1", host: null, port: 443, tls: true }, { ...page, protocol: "http:" }, none);
    expect(named).toMatchObject({ cluster: "ap1", forceTLS: true });
    expect(Object.keys(named).filter((name) => /Host|Port/.test(name))).toEqual([]);
  });
});

test("an avatar has the first letters of the first and last word", () => {
  expect(["Nurul Aisyah", "Lê Thị Hương", "Madonna", " ", "王小明"].map(initials)).toEqual(["NA", "LH", "MA", "?", "王小"]);
});

test.each([
  [0, "1500000.00", "1,500,000"],
  [2, "1234.5", "1,234.50"],
  [3, "1234.5", "1,234.500"],
])("an amount of a currency with %i decimals is written with them; one that cannot be read shows 0.00", (decimals, text, shown) => {
  setAmountDecimals(decimals);
  const { amount } = createFormats(null);
  expect([amount(text), amount("nonsense")]).toEqual([shown, "0.00"]);
  setAmountDecimals(2);
});
