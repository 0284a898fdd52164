import { useEffect, useState } from "react";
import type { Linked } from "../../contract/controls.ts";
import { useApi } from "../api/use-api.ts";
import type { RecordRow, TransferSheet } from "../kit/commands/desks.ts";
import type { FormWords } from "../kit/form/rules.ts";
import type { FormSession } from "../kit/form/session.ts";
import { fieldAmount } from "../kit/look/amounts.ts";
import type { text } from "../kit/texts/texts.ts";
import { hasText, useText } from "../kit/texts/texts.ts";
import { NewRecord } from "../transactions/new-record.tsx";
import { DraftPanel } from "./draft-panel.tsx";
import { DraftWork } from "./draft-work.ts";
import type { Made } from "./making.ts";
import { draftOf, makings } from "./making.ts";
import "./transfers.css";

export interface TransferFormProps {
  readonly kind: TransferSheet;
  /** The account or the merchant it is about; left out: it is chosen in the form. */
  readonly of?: RecordRow & { readonly code: string };
  onMade(made: Made): void;
  onLeave(): void;
}

/** What the forms of transfers say of their fields: of one kind in its own words where there are some. */
function wordsOf(kind: TransferSheet, t: typeof text): FormWords {
  const found = (...keys: string[]) => keys.find((key) => hasText(key));
  return {
    label(name) {
      const key = found(`transfer.label.${name}.${kind}`, `transfer.field.${name}`);
      return key === undefined ? name : t(key);
    },
    hint(name) {
      const key = found(`transfer.hint.${name}.${kind}`, `transfer.hint.${name}`);
      return key === undefined ? null : t(key);
    },
    choice(name, value) {
      const key = found(`transfer.${name}.${value}`);
      return key === undefined ? value : t(key);
    },
  };
}

/** The form of a transfer, an adjustment or a settlement, beside what becomes of it. Only its own key makes it. */
export function TransferForm({ kind, of, onMade, onLeave }: TransferFormProps) {
  const t = useText();
  const { call } = useApi();
  const making = makings[kind];
  const given: Readonly<Record<string, string>> = of === undefined || kind === "clearing" ? {} : { [making.of]: of.uuid };
  const linked: readonly Linked[] = of === undefined ? [] : [{ uuid: of.uuid, name: of.code, code: of.code }];
  return (
    <NewRecord
      title={of === undefined ? t(`transfer.form.${kind}`) : t(`transfer.form-of.${kind}`, { name: of.code })}
      act={t(`transfer.act.${kind}`)}
      schema={making.schema}
      words={wordsOf(kind, t)}
      groups={making.groups.map(({ name, fields }) => ({ title: t(`transfer.group.${name}`), fields }))}
      given={given}
      linked={linked}
      beside={(session) => <Beside kind={kind} session={session} {...(of !== undefined && { of })} />}
      send={async (body, key) => onMade(await making.send(call, body, key, of))}
      onLeave={onLeave}
    />
  );
}

function Beside({ kind, session, of }: Pick<TransferFormProps, "kind" | "of"> & { session: FormSession }) {
  const { call } = useApi();
  const [work] = useState(
    () =>
      new DraftWork({
        session,
        draftOf: (values) => draftOf(kind, values, of),
        judge: (draft, signal) => makings[kind].judge(call, draft, signal),
      }),
  );
  useEffect(() => work.start(), [work]);
  return <DraftPanel kind={kind} work={work} onMost={(most) => session.write("amount", fieldAmount(most))} />;
}
