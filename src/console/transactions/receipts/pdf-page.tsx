import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useText } from "../../kit/texts/texts.ts";
import { beginWork } from "../../kit/loading/rest.ts";
import { openPdf } from "./pdf.ts";
import type { OpenPdf } from "./pdf.ts";
import type { Viewing } from "./viewing.ts";

/** Most pixels of a canvas, beyond which browsers draw nothing. */
const mostPixels = 16_000_000;
/** Most characters of a page that are read aloud. */
const mostText = 4_000;

/** One page of a document, drawn anew for each zoom, with its text for who cannot see it. */
export function PdfPage({ bytes, view, onPages }: { bytes: Uint8Array; view: Viewing; onPages: (count: number) => void }) {
  const t = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pdf, setPdf] = useState<OpenPdf | null>(null);
  const [failed, setFailed] = useState(false);
  const [text, setText] = useState("");
  const tellPages = useEffectEvent(onPages);
  const { page: number, zoom, turns } = view;

  useEffect(() => {
    let left = false;
    let opened: OpenPdf | null = null;
    const over = beginWork();
    openPdf(bytes)
      .then((made) => {
        opened = made;
        if (left) return made.close();
        setPdf(made);
        return tellPages(made.document.numPages);
      })
      .catch(() => setFailed(true))
      .finally(over);
    return () => {
      left = true;
      opened?.close();
    };
  }, [bytes]);

  useEffect(() => {
    const place = canvas.current;
    if (pdf === null || place === null) return undefined;
    let left = false;
    let stop: () => void = () => undefined;
    const draw = async (): Promise<void> => {
      const page = await pdf.document.getPage(number);
      if (left) return;
      const plain = page.getViewport({ scale: 1, rotation: (page.rotate + turns * 90) % 360 });
      const width = (place.parentElement?.clientWidth ?? 800) * zoom;
      const wanted = (width / plain.width) * window.devicePixelRatio;
      const scale = Math.min(wanted, Math.sqrt(mostPixels / (plain.width * plain.height)));
      const viewport = page.getViewport({ scale, rotation: (page.rotate + turns * 90) % 360 });
      place.width = Math.floor(viewport.width);
      place.height = Math.floor(viewport.height);
      place.style.inlineSize = `${width}px`;
      const task = page.render({ canvas: place, viewport });
      stop = () => task.cancel();
      await task.promise;
      const { items } = await page.getTextContent();
      const words = items.map((item) => ("str" in item ? item.str : "")).join(" ");
      if (!left) setText(words.slice(0, mostText));
    };
    const over = beginWork();
    draw()
      .catch(() => !left && setFailed(true))
      .finally(over);
    return () => {
      left = true;
      stop();
    };
  }, [pdf, number, zoom, turns]);

  if (failed) {
    return (
      <p className="fail" role="alert">
        {t("problem.receipt.unavailable")}
      </p>
    );
  }
  return (
    <>
      <canvas ref={canvas} className="receipt-page" aria-hidden="true" />
      <p className="sr">{text}</p>
    </>
  );
}
