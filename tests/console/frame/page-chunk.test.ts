import { beforeEach, describe, expect, test, vi } from "vitest";
import { loadPage, PageMissing } from "../../../src/console/frame/page-chunk.ts";
import { memoryTab } from "../api/tab-and-server.ts";

const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/x-1.js"));

/** The pauses before a missing chunk is requested again pass at once. */
beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

async function kindOf(page: string, load: () => Promise<unknown>, tab: ReturnType<typeof memoryTab>): Promise<string> {
  const kind = loadPage(page, load, tab).then(
    () => "came",
    (error: unknown) => (error instanceof PageMissing ? error.kind : "broke"),
  );
  await vi.runAllTimersAsync();
  return kind;
}

describe("a page's chunk that is missing", () => {
  test("asks for a reload as often as the page is opened before one; afterwards it says that the chunk is still missing", async () => {
    const tab = memoryTab();
    expect([await kindOf("a", gone, tab), await kindOf("a", gone, tab)]).toEqual(["first", "first"]);
    const loadedAgain = memoryTab();
    loadedAgain.setItem("countinghouse.missing.b", "1");
    expect([await kindOf("b", gone, loadedAgain), await kindOf("b", gone, loadedAgain)]).toEqual(["again", "again"]);
  });

  test("is forgotten once it has loaded", async () => {
    const tab = memoryTab();
    tab.setItem("countinghouse.missing.c", "1");
    expect(await kindOf("c", () => Promise.resolve(1), tab)).toBe("came");
    expect(tab.getItem("countinghouse.missing.c")).toBeNull();
  });

  test("is distinguished from code that fails", async () => {
    expect(await kindOf("d", () => Promise.reject(new TypeError("x is not a function")), memoryTab())).toBe("broke");
  });
});
