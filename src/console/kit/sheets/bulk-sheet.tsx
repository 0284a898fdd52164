import { useRef, useState } from "react";
import { Icon } from "../look/icon.tsx";
import { KeyCap } from "../keys/key-cap.tsx";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import type { MessageKey } from "../texts/messages.ts";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import { onlyKeys } from "./grave-sheet.tsx";
import type { SheetProps } from "./sheet-props.ts";

interface Left {
  readonly id: string;
  readonly label: string;
  readonly why: string;
}

/** Rows with why, under a heading with their number. */
export function Rows({ title, tone, rows }: { title: string; tone: "fail" | "t2"; rows: readonly Left[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="bulk-rows">
      <h3>
        {title}
        <em>{rows.length}</em>
      </h3>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <bdi className="mono">{row.label}</bdi>
            <span className={`grow ${tone}`}>{row.why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Figures, each with its name. */
export function Facts({ facts }: { facts: readonly { readonly label: MessageKey; readonly value: string }[] }) {
  const t = useText();
  return (
    <dl className="facts">
      {facts.map((fact) => (
        <div key={fact.label} className="kv">
          <dt>{t(fact.label)}</dt>
          <dd>
            <bdi>{fact.value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows count, sum, largest, oldest and rows left out; then runs one slice after another, and shows the outcome of each row. */
export function BulkSheet({ asked, answer }: SheetProps<"bulk">) {
  const t = useText();
  const { services } = useKit();
  const [stage, setStage] = useState<"asking" | "running" | "over">("asking");
  const [done, setDone] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<readonly Left[]>([]);
  const [unsent, setUnsent] = useState<readonly Left[]>([]);
  const stopping = useRef(false);
  const started = useRef(false);
  const body = useRef<HTMLDivElement>(null);

  async function run(): Promise<void> {
    // a second press during the run must not send the rows again
    if (started.current) return;
    started.current = true;
    setStage("running");
    body.current?.focus();
    const ready: string[] = [];
    const wrong: Left[] = [];
    const left: Left[] = [];
    for (const slice of asked.slices) {
      if (stopping.current) {
        left.push(...slice.rows.map((row) => ({ ...row, why: t("sheet.bulk.stopped") })));
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- one at a time, so that stopping leaves the rest unsent
      const outcomes = await slice.send().catch(() => []);
      const found = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
      for (const row of slice.rows) {
        const outcome = found.get(row.id);
        if (outcome === undefined) wrong.push({ ...row, why: t("sheet.bulk.failed-unknown") });
        else if (outcome.done) ready.push(row.id);
        else (outcome.left ? left : wrong).push({ ...row, why: outcome.why });
      }
      setDone([...ready]);
      setFailed([...wrong]);
      setUnsent([...left]);
    }
    setUnsent(left);
    setStage("over");
    const skipped = asked.skipped.length + left.length;
    services.say("sheet.bulk.summary", { done: ready.length, failed: wrong.length, skipped }, wrong.length > 0 ? "warn" : "done");
  }

  const close = (): void => {
    if (stage === "asking") answer(null);
    else if (stage === "running") stopping.current = true;
    else answer({ done, failed: failed.map((row) => row.id) });
  };
  const confirm = stage === "over" ? close : (): void => void run();
  const settled = done.length + failed.length + unsent.length;

  return (
    <SheetFrame
      wide
      first={body}
      dialog={{ name: "bulk", acts: { confirm, close, toggle: () => undefined }, deafToEnter: true }}
      title={t(asked.title, asked.words)}
      foot={
        <>
          <span className="label grow">{stage === "asking" ? t("sheet.only-mod-enter", { keys: onlyKeys() }) : null}</span>
          {stage === "asking" && <SheetButtons label={t("sheet.bulk.run")} chord="$mod+Enter" onConfirm={confirm} onCancel={close} />}
          {stage !== "asking" && (
            <button type="button" className="btn" onClick={close}>
              {stage === "running" ? t("sheet.bulk.stop") : t("sheet.close")}
              <KeyCap chord="Escape" />
            </button>
          )}
        </>
      }
    >
      <div ref={body} tabIndex={-1} className="bulk">
        <Facts facts={asked.facts} />
        {stage !== "asking" && (
          <>
            <progress
              max={asked.slices.reduce((count, slice) => count + slice.rows.length, 0)}
              value={settled}
              aria-label={t("sheet.bulk.progress")}
            />
            <p className="bulk-counts" role="status">
              <span className="pass">
                <Icon name="tick" size="xs" />
                {t("sheet.bulk.done")} {done.length}
              </span>
              <span className={failed.length > 0 ? "fail" : "t2"}>
                <Icon name="cross" size="xs" />
                {t("sheet.bulk.failed")} {failed.length}
              </span>
              <span className="t2">
                {t("sheet.bulk.skipped")} {asked.skipped.length + unsent.length}
              </span>
            </p>
            <Rows title={t("sheet.bulk.failed")} tone="fail" rows={failed} />
          </>
        )}
        <Rows
          title={t("sheet.bulk.left-out", { count: asked.skipped.length + unsent.length })}
          tone="t2"
          rows={[...asked.skipped, ...unsent]}
        />
      </div>
    </SheetFrame>
  );
}
