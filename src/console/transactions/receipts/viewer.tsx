import { useQuery } from "@tanstack/react-query";
import type { KeyboardEvent } from "react";
import { useRef, useState } from "react";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useKit, useStorePart } from "../../kit/use-kit.ts";
import { FilePicture } from "./file-picture.tsx";
import { PdfPage } from "./pdf-page.tsx";
import type { ReceiptState, ReceiptWork } from "./receipt-work.ts";
import { atFirst, viewAfter, viewKeyOf } from "./viewing.ts";
import type { ViewKey, Viewing } from "./viewing.ts";

interface Looked {
  readonly receipt: string;
  readonly view: Viewing;
  readonly pages: number;
}

/** A receipt as large as the window allows, looked at by keys alone. */
export function Viewer({ work, viewing }: { work: ReceiptWork; viewing: NonNullable<ReceiptState["viewing"]> }) {
  const t = useText();
  const { messages, context } = useKit();
  const rightToLeft = useStorePart(context, "rightToLeft");
  const { uuid, receipts, at } = viewing;
  const { uuid: shown = "", name = "" } = receipts[at] ?? {};
  const stage = useRef<HTMLDivElement>(null);
  const [looked, setLooked] = useState<Looked>({ receipt: shown, view: atFirst, pages: 1 });
  const { view, pages } = looked.receipt === shown ? looked : { view: atFirst, pages: 1 };
  const { data, isError } = useQuery(work.fileOf(uuid, shown));

  function act(key: ViewKey): boolean {
    if (key === "left" || key === "right") return sideways(key);
    if ((key === "page-down" || key === "page-up") && pages === 1) return false;
    const next = viewAfter(view, key, pages);
    if (next === view) return true;
    setLooked({ receipt: shown, view: next, pages });
    if (next.page !== view.page) {
      stage.current?.scrollTo({ top: 0 });
      messages.say(t("transaction.receipt.page", { page: next.page, count: pages }), "plain");
    } else if (next.zoom !== view.zoom) messages.say(t("transaction.receipt.zoom", { percent: Math.round(next.zoom * 100) }), "plain");
    return true;
  }

  /** Scrolls while there is something beside; then it is the next receipt's turn. */
  function sideways(key: "left" | "right"): boolean {
    const place = stage.current;
    const beside = place === null ? 0 : place.scrollWidth - place.clientWidth;
    const gone = Math.abs(place?.scrollLeft ?? 0);
    const forward = (key === "right") !== rightToLeft;
    if (beside > 1 && (forward ? gone < beside - 1 : gone > 1)) return false;
    if (receipts.length > 1) work.turn(forward ? 1 : -1);
    return true;
  }

  const onKey = (event: KeyboardEvent): void => {
    const key = viewKeyOf(event);
    if (key === null || !act(key)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const close = (): void => work.close();
  const buttons: readonly (readonly [ViewKey, string, string])[] = [
    ["nearer", t("transaction.receipt.nearer"), "+"],
    ["farther", t("transaction.receipt.farther"), "-"],
    ["whole", t("transaction.receipt.whole"), "0"],
    ["turn", t("transaction.receipt.turn"), "r"],
  ];
  return (
    <SheetFrame wide dialog={{ name: "receipt", acts: { close, toggle: () => undefined } }} title={name} first={stage}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of its stage and buttons, which come up to it */}
      <div className="receipt-view" onKeyDown={onKey}>
        <div className="receipt-bar">
          {buttons.map(([key, label, chord]) => (
            <button key={key} type="button" className="btn bare" onClick={() => act(key)}>
              {label}
              <KeyCap chord={chord} />
            </button>
          ))}
          <span className="grow" />
          {pages > 1 && (
            <span className="t2">
              <KeyCap chord="PageDown" /> {t("transaction.receipt.page", { page: view.page, count: pages })}
            </span>
          )}
          {receipts.length > 1 && (
            <span className="t2">
              <KeyCap chord={rightToLeft ? "ArrowLeft" : "ArrowRight"} />{" "}
              {t("transaction.receipt.nth", { n: at + 1, count: receipts.length })}
            </span>
          )}
        </div>
        <div className="receipt-stage" ref={stage} tabIndex={-1} role="group" aria-label={t("transaction.receipt.shown", { name })}>
          {isError && <Unavailable />}
          {data?.type.startsWith("image/") && <Picture key={shown} file={data} name={name} view={view} />}
          {data?.type === "application/pdf" && (
            <PdfPage key={shown} bytes={data.bytes} view={view} onPages={(count) => setLooked({ receipt: shown, view, pages: count })} />
          )}
        </div>
      </div>
    </SheetFrame>
  );
}

function Unavailable() {
  const t = useText();
  return (
    <p className="fail" role="alert">
      {t("problem.receipt.unavailable")}
    </p>
  );
}

function Picture({ file, name, view }: { file: Parameters<typeof FilePicture>[0]["file"]; name: string; view: Viewing }) {
  const t = useText();
  const [broken, setBroken] = useState(false);
  const [{ width, height }, setSize] = useState({ width: 1, height: 1 });
  if (broken) return <Unavailable />;
  const lies = view.turns % 2 === 1;
  return (
    // the room it takes when it is turned
    <div className="receipt-picture" style={{ inlineSize: `${view.zoom * 100}%`, aspectRatio: lies ? height / width : width / height }}>
      <FilePicture
        file={file}
        alt={t("transaction.receipt.shown", { name })}
        turns={view.turns}
        style={{ width: lies ? `${(width / height) * 100}%` : "100%" }}
        onLoad={({ naturalWidth, naturalHeight }) => setSize({ width: naturalWidth || 1, height: naturalHeight || 1 })}
        onError={() => setBroken(true)}
      />
    </div>
  );
}
