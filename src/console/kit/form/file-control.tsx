import { useRef, useState } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";

/** Takes a file to where files are kept; answers what names it there, or why it was not taken. */
export type Upload = (file: File, kind: "file" | "image") => Promise<{ readonly name: string } | { readonly refused: string }>;

/**
 * A file, or an image with its picture: chosen by the browser's own dialog, which its button opens with Enter or Space. Not Blueprint's
 * FileInput, whose button is a label that no key presses and whose words are English.
 */
export function FileControl(props: ControlProps & { upload?: Upload | undefined }) {
  const { field, value, readOnly, described, takeRef, onWrite, upload } = props;
  const t = useText();
  const picker = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement | null>(null);
  const [state, setState] = useState<{ readonly sending: boolean; readonly refused: string | null }>({ sending: false, refused: null });
  const kind = field.control === "image" ? "image" : "file";

  async function send(file: File | undefined): Promise<void> {
    if (file === undefined || upload === undefined) return;
    setState({ sending: true, refused: null });
    const answer = await upload(file, kind).catch(() => ({ refused: t("form.file.failed") }));
    if ("name" in answer) onWrite(answer.name);
    setState({ sending: false, refused: "refused" in answer ? answer.refused : null });
    button.current?.focus();
  }

  return (
    <div className="file-control">
      {kind === "image" && value !== "" && <img src={value} alt="" />}
      <bdi className={value === "" ? "cut t3" : "cut"}>{value === "" ? t("form.file.none") : value.split("/").at(-1)}</bdi>
      {!readOnly && (
        <>
          <input
            ref={picker}
            type="file"
            hidden
            accept={kind === "image" ? "image/*" : undefined}
            onChange={(event) => void send(event.target.files?.[0])}
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
