import { useRef, useState } from "react";
import { z } from "zod";
import type { Answer } from "../../../contract/route.ts";
import type { BankRuleList } from "../../../contract/bank-transactions.ts";
import { BankRule } from "../../../contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transaction-routes.ts";
import { control } from "../../../contract/controls.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import { newUuid } from "../../../values/uuid.ts";
import { refusalOf } from "../../api/refusal.ts";
import { useApi, useRead, useSignedIn } from "../../api/use-api.ts";
import { bodyForm } from "../../kit/form/body-form.ts";
import { textOfRows } from "../../kit/form/codecs.ts";
import { FormBody } from "../../kit/form/form-body.tsx";
import { FormButtons } from "../../kit/form/form-buttons.tsx";
import { useHeldForm } from "../../kit/form/leaving.ts";
import type { FormWords } from "../../kit/form/rules.ts";
import { ruleSayer } from "../../kit/form/rules.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { discardQuestion } from "../../kit/sheets/questions.ts";
import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import type { MessageKey } from "../../kit/texts/messages.ts";
import { hasText, text, useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { ReadSheet } from "./read-sheet.tsx";

/** The rules as one table: the first that fits takes the line, so their order is written, too. */
const schema = z.strictObject({ rules: z.array(BankRule).max(100).meta(control("rows")) });

const words: FormWords = {
  label: (path) => text(`bank-rule.field.${path.split(".").at(-1) ?? ""}` as MessageKey), // a field of a rule, or the table's own
  hint: () => null,
  choice(_, value) {
    const key = [`bank-line.direction.${value}`, `bank-line.ignored_as.${value}`, `bank-rule.direction.${value}`].find(hasText);
    return key === undefined ? value : text(key as MessageKey); // found a line above
  },
};

/** The text rules that ignore what is no customer's money: read first, then written, tried and applied. */
export function RulesSheet({ onClose }: { onClose(): void }) {
  const t = useText();
  const read = useRead(routes.readBankRules, {});
  const list = read.data?.data;
  if (list === undefined) return <ReadSheet title={t("bank-rule.title")} read={read} onClose={onClose} />;
  return <Rules key={list.version} list={list} onSaved={() => void read.refetch()} onClose={onClose} />;
}

type Trials = Answer<typeof routes.tryBankRules>["data"]["rules"];

function Rules({ list, onSaved, onClose }: { list: BankRuleList; onSaved(): void; onClose(): void }) {
  const t = useText();
  const { call } = useApi();
  const { services } = useKit();
  const { context } = useSignedIn();
  const mayWrite = isAllowed(context.permissions, routes.saveBankRules.permission);
  const first = useRef<HTMLElement>(null);
  const [trials, setTrials] = useState<Trials | null>(null);
  const [{ fields, session }] = useState(() =>
    bodyForm({
      schema,
      values: { rules: textOfRows(list.rules) },
      isNew: false,
      say: ruleSayer(text, words.hint),
      labelOf: words.label,
      refusalOf,
      async send(body, idempotencyKey) {
        const { rules } = schema.parse(body);
        await call(routes.saveBankRules, { body: { version: list.version, rules } }, { idempotencyKey, quiet: true });
      },
    }),
  );
  useHeldForm(session);
  const typed = () => schema.safeParse({ rules: JSON.parse(session.getState().values["rules"] ?? "[]") as unknown });
  const save = async (): Promise<void> => {
    if (!mayWrite || (await session.save()) === "open") return;
    services.say("bank-rule.said.saved", {}, "done");
    onSaved();
  };
  const leave = async (): Promise<void> => {
    if (session.getState().saving) return;
    if (session.isChanged && (await services.ask("confirm", discardQuestion)) !== true) return;
    onClose();
  };
  const attempt = async (): Promise<void> => {
    const read = typed();
    // a rule that cannot be read is named at its field by a save
    if (!read.success || read.data.rules.length === 0) return services.say("bank-rule.said.nothing-to-try", {}, "warn");
    const { data } = await call(routes.tryBankRules, { body: { rules: read.data.rules } }, { idempotencyKey: newUuid() });
    setTrials(data.rules);
  };
  const apply = async (): Promise<void> => {
    if (session.isChanged) return services.say("bank-rule.said.save-first", {}, "warn");
    const { data } = await call(routes.applyBankRules, { body: { version: list.version } }, { idempotencyKey: newUuid() });
    services.say("bank-rule.said.applied", { n: data.ignored }, "done");
    services.shell.refresh();
    setTrials(null);
  };
  return (
    <SheetFrame
      wide
      first={first}
      dialog={{ name: "form", aimless: true, acts: { confirm: () => void save(), close: () => void leave(), toggle: () => undefined } }}
      title={t("bank-rule.title")}
      foot={
        mayWrite ? (
          <FormButtons session={session} chord="$mod+Enter" leaveChord="Escape" onSave={() => void save()} onLeave={() => void leave()} />
        ) : (
          <span className="label grow">{t("bank-rule.only-try")}</span>
        )
      }
    >
      <div className="statements rules">
        <p className="t2">{t("bank-rule.about")}</p>
        {list.rules.length === 0 && <p className="t3">{t("bank-rule.none")}</p>}
        <FormBody session={session} groups={[{ title: t("bank-rule.field.rules"), fields }]} words={words} first={first} />
        <p className="tries">
          <button type="button" className="btn" onClick={() => void attempt()}>
            {t("bank-rule.try")}
          </button>
          {mayWrite && list.rules.length > 0 && (
            <button type="button" className="btn" onClick={() => void apply()}>
              {t("bank-rule.apply")}
            </button>
          )}
        </p>
        {trials !== null && <Trial trials={trials} />}
      </div>
    </SheetFrame>
  );
}

/** What each rule would take of the lines unmatched now. */
function Trial({ trials }: { trials: Trials }) {
  const t = useText();
  return (
    <ol className="trial" role="status">
      {trials.map(({ count, amount, lines }, at) => (
        <li key={at}>
          <p className="ln">
            <b>{at + 1}</b> {t("bank-rule.would-take", { n: count })}
            <span className="num">
              <Amount text={amount} />
            </span>
          </p>
          {lines.slice(0, 3).map((line) => (
            <p key={line.uuid} className="ln t2">
              <bdi className="mono cut grow">{[line.description, line.counterparty].filter(Boolean).join(" · ")}</bdi>
              <span className="num">
                <Amount text={line.amount} />
              </span>
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}
