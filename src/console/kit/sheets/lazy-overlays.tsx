import { usePart } from "../loading/chunk.ts";
import { PartWaiting } from "./part-waiting.tsx";
import { needOverlayTexts, needRecordTexts } from "../texts/late-texts.ts";
import { useKit, useStore } from "../use-kit.ts";

const load = async () => (await Promise.all([import("./overlays.tsx"), needOverlayTexts(), needRecordTexts()]))[0].OverlaySheets;

/** ms after the first screen when the sheets are fetched in advance. */
const soon = 1_000;

/**
 * Help, messages, toasts and the sheets of questions, loaded after the first screen. A failed load is reported, and open
 * questions are cancelled.
 */
export function Overlays() {
  const { questions, sheet, menu, messages, services } = useKit();
  const asked = useStore(questions).length > 0;
  const shown = useStore(sheet);
  const hasMenu = useStore(menu) !== null;
  const isOver = asked || hasMenu || shown === "help" || shown === "messages";
  const leave = () => {
    questions.dismiss();
    sheet.set(null);
    menu.set(null);
  };
  const sheets = usePart(load, {
    wanted: isOver,
    soon: useStore(messages).length > 0 ? 0 : soon,
    absent() {
      leave();
      services.say("page.chunk.text", {}, "fail");
    },
  });
  if (sheets !== null) return sheets({});
  return isOver ? <PartWaiting close={leave} /> : null;
}
