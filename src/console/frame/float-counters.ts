import "./float-counters.css";
import type { Kit } from "../kit/kit.ts";
import { needRecordTexts } from "../kit/texts/late-texts.ts";
import { text } from "../kit/texts/texts.ts";
import { floating } from "./floating.ts";

/** A browser that can keep a page's part above all other windows. */
interface PictureWindow {
  requestWindow(options: { readonly width: number; readonly height: number }): Promise<Window>;
}

const size = { width: 300, height: 640 } as const;

/** The page's styles, theme, language and direction, kept in step. */
function dress(other: Window): () => void {
  const { documentElement: own } = document;
  for (const sheet of document.querySelectorAll("link[rel=stylesheet], style"))
    other.document.head.append(other.document.importNode(sheet, true));
  const follow = (): void => {
    for (const { name, value } of own.attributes) other.document.documentElement.setAttribute(name, value);
    other.document.title = text("shell.counters");
  };
  follow();
  other.document.body.className = "floating";
  const observer = new MutationObserver(follow);
  observer.observe(own, { attributes: true });
  return () => observer.disconnect();
}

/**
 * Takes the counters out into a window of their own, above all others where the browser can, or brings them back. The keys pressed there
 * are the page's. Where the browser opens no window it says so.
 */
export async function floatCounters({ keys, services }: Pick<Kit, "keys" | "services">): Promise<void> {
  const present = floating.getState();
  if (present !== null) {
    present.close();
    return;
  }
  const picture = (window as { readonly documentPictureInPicture?: PictureWindow }).documentPictureInPicture ?? null; // not in TypeScript's library yet
  const other = picture
    ? await picture.requestWindow(size).catch(() => null)
    : window.open("", "countinghouse-counters", `popup,width=${size.width},height=${size.height}`);
  if (other === null) {
    await needRecordTexts();
    services.say("record.refuse.no-window", {}, "warn");
    return;
  }
  const stops = [dress(other), keys.listen(other)];
  // it belongs to this page, and goes with it
  const close = (): void => other.close();
  window.addEventListener("pagehide", close);
  const end = (): void => {
    for (const stop of stops) stop();
    window.removeEventListener("pagehide", close);
    floating.setState(null, true);
  };
  other.addEventListener("pagehide", end, { once: true });
  floating.setState(other, true);
}
