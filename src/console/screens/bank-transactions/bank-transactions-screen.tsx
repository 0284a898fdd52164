import type { ComponentType } from "react";
import { useMemo, useState } from "react";
import { usePlace } from "../../api/place.ts";
import { useApi, useSignedIn } from "../../api/use-api.ts";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import { TakeFiles } from "../../imports/take-files.tsx";
import type { StatementSheet } from "../../kit/commands/desks.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { LinkedNames } from "../../kit/form/linked.ts";
import { useKit } from "../../kit/use-kit.ts";
import { BalancesSheet } from "./balances-sheet.tsx";
import { bankTransactions } from "./bank-transactions-entity.ts";
import { StatementImportSheet } from "./import-sheet.tsx";
import { createImport } from "./import-work.ts";
import type { Given } from "../../kit/form/pasted-table.ts";
import type { StatementImport } from "./import-work.ts";
import { MatchingContext } from "./matching.tsx";
import { createMatching } from "./matching-store.ts";
import { PayersSheet } from "./payers-sheet.tsx";
import { RulesSheet } from "./rules-sheet.tsx";
import "./statements.css";

const sheets: Readonly<Record<StatementSheet, ComponentType<{ readonly find?: string; onClose(): void }>>> = {
  rules: RulesSheet,
  payers: PayersSheet,
  balances: BalancesSheet,
};

interface OpenImport {
  readonly work: StatementImport;
  readonly linked: LinkedNames;
}

/** The banks' statements, line by line, and what each line proves. A statement can be pasted or dropped onto the list. */
export function Component() {
  const { call } = useApi();
  const { services } = useKit();
  const { context } = useSignedIn();
  const [matching] = useState(createMatching);
  const [open, setOpen] = useState<OpenImport | null>(null);
  const mayImport = context.permissions["pas.transaction.bank-transactions"]?.includes("import") === true;

  const begin = useMemo(
    () => (account?: { readonly uuid: string; readonly code: string }, given?: Given) => {
      const linked = new LinkedNames();
      if (account) linked.take([{ uuid: account.uuid, name: account.code, code: account.code }]);
      const work = createImport(
        {
          call,
          wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
          added: () => services.shell.refresh(),
        },
        account?.uuid ?? "",
      );
      setOpen({ work, linked });
      if (given) void work.give(given);
    },
    [call, services],
  );
  const place = usePlace();
  // a link may ask for one of them, and for what is looked for in it
  const linked = place.get("sheet");
  const asked = linked !== null && Object.hasOwn(sheets, linked) ? (linked as StatementSheet) : null; // as just asked
  const [opened, setSheet] = useState<StatementSheet | null>(null);
  const sheet = opened ?? asked;
  const closeSheet = () => {
    setSheet(null);
    if (asked !== null) place.set({ sheet: null, find: null });
  };
  const lends = useMemo(() => ({ matching: matching.desk, imports: { open: begin, show: setSheet } }), [matching, begin]);
  const Sheet = sheet === null ? null : sheets[sheet];

  return (
    <MatchingContext value={matching}>
      <TakeFiles open={mayImport && open === null && sheet === null} onGiven={(given) => begin(undefined, given)}>
        <EntityScreen
          entity={bankTransactions}
          lends={lends}
          acts={<CommandButton id="bank-line.import" icon="receipt" className="create" />}
        />
      </TakeFiles>
      {Sheet !== null && <Sheet find={place.get("find") ?? ""} onClose={closeSheet} />}
      {open !== null && <StatementImportSheet work={open.work} linked={open.linked} onClose={() => setOpen(null)} />}
    </MatchingContext>
  );
}
