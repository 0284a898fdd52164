import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { createContext, useContext, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Receipt } from "../../../contract/receipts.ts";
import { receiptRoutesOf } from "../../../contract/receipts.ts";
import type { Transaction } from "../../../contract/transactions.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import { sizeText } from "../../../values/file-size.ts";
import { Instant } from "../../api/instant.tsx";
import { useSignedIn } from "../../api/use-api.ts";
import { usePart } from "../../kit/loading/chunk.ts";
import { CommandButton, CommandKey } from "../../kit/look/command-button.tsx";
import { PartWaiting } from "../../kit/sheets/part-waiting.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { FilePicture } from "./file-picture.tsx";
import type { ReceiptWork } from "./receipt-work.ts";
import "./receipts.css";

/** The receipts of the screen around; null where it has none. */
export const ReceiptContext = createContext<ReceiptWork | null>(null);

type Row = Pick<Transaction, "uuid" | "has_receipt">;

/** The receipts of a transaction: what is there, adding by button, drop or paste, and what was refused. */
export function Receipts({ row }: { row: Row }) {
  const work = useContext(ReceiptContext);
  return work === null ? null : <Section key={row.uuid} work={work} row={row} />;
}

function Section({ work, row }: { work: ReceiptWork; row: Row }) {
  const t = useText();
  const { uuid } = row;
  const section = useRef<HTMLElement>(null);
  const { context } = useSignedIn();
  const mayAdd = isAllowed(context.permissions, receiptRoutesOf[work.kind].add.permission);
  const dropping = useDroppedFiles(section, mayAdd, (file) => void work.send(uuid, file));
  const sending = useStore(work.store, (state) => (state.sending?.uuid === uuid ? state.sending : null));
  const refused = useStore(work.store, (state) => (state.refused?.uuid === uuid ? state.refused.why : null));
  const { data, isError } = useQuery({ ...work.listOf(uuid), enabled: row.has_receipt });
  const receipts = row.has_receipt ? (data?.receipts ?? []) : [];
  const isMissing = !row.has_receipt || isError;
  return (
    <section className={dropping ? "sec receipts dropping" : "sec receipts"} ref={section}>
      <h2>
        {t("transaction.receipt.title")}
        <span className="end">
          {receipts.length > 0 && <CommandKey id={`${work.kind}.receipt-open`} />}
          <CommandButton id={`${work.kind}.receipt-add`} look="bare" icon="plus">
            {t("transaction.receipt.add")}
          </CommandButton>
        </span>
      </h2>
      {isMissing && sending === null && <p className="ln t3">{t("transaction.receipt.none")}</p>}
      {receipts.map((receipt) => (
        <Line key={receipt.uuid} work={work} uuid={uuid} receipt={receipt} />
      ))}
      <p
        className={refused === null ? "ln t2" : "ln fail"}
        role={refused === null ? "status" : "alert"}
        hidden={sending === null && refused === null}
      >
        {refused ?? (sending === null ? "" : t("transaction.receipt.sending", { name: sending.name }))}
      </p>
      {dropping && <p className="ln t2">{t("transaction.receipt.drop")}</p>}
    </section>
  );
}

function Line({ work, uuid, receipt }: { work: ReceiptWork; uuid: string; receipt: Receipt }) {
  const t = useText();
  return (
    <button
      type="button"
      className="ln receipt"
      aria-label={t("transaction.receipt.open", { name: receipt.name })}
      onClick={() => void work.open(uuid, receipt.uuid)}
    >
      <Thumbnail work={work} uuid={uuid} receipt={receipt} />
      <bdi className="cut grow">{receipt.name}</bdi>
      <span className="t3">
        <bdi>{sizeText(receipt.size)}</bdi>
      </span>
      <span className="t3">
        <Instant at={receipt.at} />
      </span>
      <bdi className="cut t2">{receipt.by}</bdi>
    </button>
  );
}

/** Small enough to be drawn in a line; a document has a sign instead. */
function Thumbnail({ work, uuid, receipt }: { work: ReceiptWork; uuid: string; receipt: Receipt }) {
  const isPicture = receipt.type !== "application/pdf";
  const { data } = useQuery({ ...work.fileOf(uuid, receipt.uuid), enabled: isPicture });
  if (!isPicture) return <span className="thumb mono t3">PDF</span>;
  return <span className="thumb">{data !== undefined && <FilePicture file={data} alt="" />}</span>;
}

/** Takes the first file dropped on, or pasted into, the detail around the section; answers whether one hangs over it. */
function useDroppedFiles(section: RefObject<HTMLElement | null>, enabled: boolean, take: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  const onTake = useEffectEvent(take);
  useEffect(() => {
    const place = section.current?.closest<HTMLElement>(".detail") ?? null;
    if (place === null || !enabled) return undefined;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const listeners = new AbortController();
    const { signal } = listeners;
    const hover = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    place.addEventListener("dragenter", hover, { signal });
    place.addEventListener("dragover", hover, { signal });
    place.addEventListener(
      "dragleave",
      (event) => {
        if (!(event.relatedTarget instanceof Node && place.contains(event.relatedTarget))) setOver(false);
      },
      { signal },
    );
    place.addEventListener(
      "drop",
      (event) => {
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (!holdsFiles(event) || !file) return;
        event.preventDefault();
        onTake(file);
      },
      { signal },
    );
    place.addEventListener(
      "paste",
      (event) => {
        const file = event.clipboardData?.files[0];
        if (!file) return;
        event.preventDefault();
        onTake(file);
      },
      { signal },
    );
    return () => listeners.abort();
  }, [section, enabled]);
  return over;
}

const loadViewer = async () => (await import("./viewer.tsx")).Viewer;

/** Draws the viewer over the page while a receipt is looked at; its code comes with the first one. */
export function ReceiptViewer({ work }: { work: ReceiptWork }) {
  const { services } = useKit();
  const viewing = useStore(work.store, (state) => state.viewing);
  const close = useMemo(() => () => work.close(), [work]);
  const viewer = usePart(loadViewer, {
    wanted: viewing !== null,
    absent() {
      close();
      services.say("page.chunk.text", {}, "fail");
    },
  });
  if (viewing === null) return null;
  return viewer === null ? <PartWaiting close={close} /> : viewer({ work, viewing });
}
