import type { ClipboardEvent, ComponentType, DragEvent, KeyboardEvent } from "react";
import { useRef, useState } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";

/** Takes a file to where files are kept; answers what names it there, or why it was not taken. */
export type Upload = (file: File, kind: "file" | "image") => Promise<{ readonly name: string } | { readonly refused: string }>;

/** What a screen whose pictures are kept under names of their own does for an image. */
export interface Images {
  /** Fetches one from an address; answers what names it, or why it was not taken. */
  byAddress(address: string): ReturnType<Upload>;
  /** Draws the one of this name. */
  readonly Picture: ComponentType<{ readonly name: string }>;
}

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim());

/**
 * A file, or an image with its picture: chosen by the browser's own dialog, which its button opens with Enter or Space, dropped or
 * pasted on it, or, where `images` can fetch them, by an address that is pasted or written. Not Blueprint's
 * FileInput, whose button is a label that no key presses and whose words are English.
 */
export function FileControl(props: ControlProps & { upload?: Upload | undefined; images?: Images | undefined }) {
  const { field, value, readOnly, described, takeRef, onWrite, upload, images } = props;
  const t = useText();
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement | null>(null);
  const [state, setState] = useState<{ readonly sending: boolean; readonly refused: string | null }>({ sending: false, refused: null });
  const kind = field.control === "image" ? "image" : "file";

  async function take(sent: ReturnType<Upload>): Promise<void> {
    setState({ sending: true, refused: null });
    const answer = await sent.catch(() => ({ refused: t("form.file.failed") }));
    if ("name" in answer) onWrite(answer.name);
    setState({ sending: false, refused: "refused" in answer ? answer.refused : null });
    button.current?.focus();
  }

  async function send(file: File | undefined): Promise<void> {
    if (file !== undefined && upload !== undefined) await take(upload(file, kind));
  }

  /** A file, else an address: whether there was either. */
  function takeFrom(data: DataTransfer): boolean {
    const [file] = data.files;
    const address = data.getData("text/uri-list") || data.getData("text/plain");
    if (readOnly || state.sending || (file === undefined && !(images && isAddress(address)))) return false;
    if (file !== undefined) void send(file);
    else if (images) void take(images.byAddress(address.trim()));
    return true;
  }
  const onPaste = (event: ClipboardEvent) => void (takeFrom(event.clipboardData) && event.preventDefault());
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    takeFrom(event.dataTransfer);
  };
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const written = event.currentTarget.value;
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing || written.trim() === "") return;
    event.preventDefault();
    if (images) void take(images.byAddress(written.trim()));
    event.currentTarget.value = "";
  }

  return (
    <div className="file-control" onPaste={onPaste} onDrop={onDrop} onDragOver={(event) => event.preventDefault()}>
      {kind === "image" && value !== "" && (images ? <images.Picture name={value} /> : <img src={value} alt="" />)}
      {(value === "" || !images) && (
        <bdi className={value === "" ? "cut t3" : "cut"}>{value === "" ? t("form.file.none") : value.split("/").at(-1)}</bdi>
      )}
      {!readOnly && (
        <>
          <input
            ref={picker}
            type="file"
            hidden
            accept={kind === "image" ? "image/*" : undefined}
            onChange={({ target }) => {
              const file = target.files?.[0];
              target.value = ""; // so that the same file can be chosen again
              void send(file);
            }}
          />
          <button
            {...saidOf(props)}
            aria-describedby={[described, `${props.id}-state`].filter(Boolean).join(" ")}
            aria-required={undefined}
            ref={(element) => {
              button.current = element;
              takeRef(element);
            }}
            type="button"
            className="btn"
            aria-disabled={state.sending || undefined}
            onClick={() => !state.sending && picker.current?.click()}
          >
            {t(state.sending ? "form.file.sending" : "form.file.choose")}
          </button>
          {images && (
            <input
              type="url"
              dir="ltr"
              className="bp6-input address"
              aria-label={t("form.file.address")}
              placeholder={t("form.file.address")}
              onKeyDown={onKeyDown}
            />
          )}
          {value !== "" && (
            <button
              type="button"
              className="row-button"
              aria-label={t("form.file.remove")}
              onClick={() => {
                onWrite("");
                button.current?.focus();
              }}
            >
              <Icon name="close" size="s" />
            </button>
          )}
        </>
      )}
      <span id={`${props.id}-state`} className={state.refused === null ? "sr" : "err"} role={state.refused === null ? "status" : "alert"}>
        {state.refused ?? (state.sending ? t("form.file.sending") : "")}
      </span>
    </div>
  );
}
