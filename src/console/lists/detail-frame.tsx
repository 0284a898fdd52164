import type { FocusEvent, ReactNode, RefObject } from "react";
import { useLayoutEffect, useRef } from "react";
import { Icon } from "../kit/look/icon.tsx";
import { KeyCap } from "../kit/keys/key-cap.tsx";
import type { MessageKey } from "../kit/texts/messages.ts";
import { useText } from "../kit/texts/texts.ts";
import type { VersionedRow } from "./details.ts";
import { Failure } from "./failure.tsx";
import type { ShownRecord } from "./use-shown-record.ts";

/** What begins the keys of texts that end so: "record" of "record.detail.none". */
type Beginning<End extends string, Key = MessageKey> = Key extends `${infer Start}.${End}` ? Start : never;

/** Every subject that has the texts of a detail. */
export type DetailWords = Beginning<"detail.none"> & Beginning<"detail.loading"> & Beginning<"acts.marked"> & Beginning<"acts.clears">;

export interface DetailFrameProps extends Pick<ShownRecord<VersionedRow, unknown>, "row" | "detail" | "failure" | "marked" | "onRetry"> {
  /** Whose words it speaks. */
  readonly words: DetailWords;
  /** What is said while no record is chosen; left out: what these words have for it. */
  readonly none?: string;
  /** What the row itself tells, at once. */
  readonly head: ReactNode;
  /** The acts with their keys, in fixed places. */
  readonly acts: ReactNode;
  /** What is drawn once the detail has come. */
  readonly children: ReactNode;
}

/** One record whole: its head, its sections or why there are none, and the acts beneath with what the next key hits. */
export function DetailFrame({ words, none, row, detail, failure, marked, onRetry, head, acts, children }: DetailFrameProps) {
  const t = useText();
  const { body, ...watched } = useFocusKept();
  const onScroll = useEachFromItsTop(body, row?.uuid);
  return (
    <div className="detail" {...watched}>
      {/* there without a record, too: it keeps the focus while a view without one, or not yet with one, stands beside it */}
      <div className="body" data-pane-focus tabIndex={-1} ref={body} onScroll={onScroll}>
        {row === null ? (
          <p className="instead late">{none ?? t(`${words}.detail.none`)}</p>
        ) : (
          <>
            {head}
            {children}
            {detail === null && failure === null && <Waiting label={t(`${words}.detail.loading`)} />}
            {failure !== null && (
              <div role="alert">
                <Failure failure={failure} onRetry={onRetry} />
              </div>
            )}
          </>
        )}
      </div>
      <div className="acts">
        {marked > 0 && (
          <div className="aim">
            <Icon name="tick" size="xs" />
            <span className="strong">{t(`${words}.acts.marked`, { count: marked })}</span>
            <span className="end keys-end">
              <KeyCap chord="Escape" /> {t(`${words}.acts.clears`)}
            </span>
          </div>
        )}
        <div className="bar">{acts}</div>
      </div>
    </div>
  );
}

/** Another record begins with its head, wherever the one before was scrolled to, because it is decided by what stands there. */
function useEachFromItsTop(body: RefObject<HTMLElement | null>, record: string | undefined): () => void {
  const isScrolled = useRef(false);
  useLayoutEffect(() => {
    // asked of the element, each record would lay the page out once more
    if (isScrolled.current) body.current?.scrollTo({ top: 0, behavior: "instant" });
  }, [body, record]);
  return () => void (isScrolled.current = body.current?.scrollTop !== 0);
}

/** A button that goes with its record, as after the last of a queue, leaves the focus to the pane and not to the page. */
function useFocusKept() {
  const body = useRef<HTMLDivElement>(null);
  const within = useRef(false);
  useLayoutEffect(() => {
    if (within.current && (document.activeElement === null || document.activeElement === document.body)) body.current?.focus();
  });
  return {
    body,
    onFocus: () => void (within.current = true),
    // an element that is removed hands the focus to none
    onBlur({ relatedTarget }: FocusEvent) {
      if (relatedTarget !== null) within.current = false;
    },
  };
}

function Waiting({ label }: { label: string }) {
  return (
    <div className="sec late" role="status" aria-label={label}>
      {Array.from({ length: 8 }, (_, line) => (
        <div key={line} className="ck">
          <span className="bone" />
        </div>
      ))}
    </div>
  );
}
