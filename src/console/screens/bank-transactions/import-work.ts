import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { BankLayout } from "../../../contract/bank-layouts.ts";
import type { BankImport, BankImportLine } from "../../../contract/bank-imports.ts";
import { bankImportRoutes as routes } from "../../../contract/bank-imports.ts";
import type { Call } from "../../api/call.ts";
import type { ImportDeps, ImportKind, ImportWork } from "../../imports/import-work.ts";
import { asAct, createImportWork } from "../../imports/import-work.ts";
import type { Given } from "../../kit/form/pasted-table.ts";
import { splitReferences } from "../../kit/form/codecs.ts";

interface StatementState {
  /** The payment account the statement is of, as its field has it: also what was typed before one is chosen. */
  readonly account: string;
  /** The file that was given before the account was. */
  readonly given: Given | null;
}

export interface StatementImport extends ImportWork<BankImport, BankImportLine> {
  readonly of: StoreApi<StatementState>;
  setAccount(written: string): void;
  setLayout(change: Partial<BankLayout>): Promise<void>;
}

/** The account that was chosen; null: none yet. */
export const chosenAccount = ({ account }: Pick<StatementState, "account">): string | null => splitReferences(account).chosen[0] ?? null;

const kindFor = (call: Call, accountOf: () => string): ImportKind<BankImport, BankImportLine> => ({
  states: ["unreadable", "new", "known"],
  linesShown: 200,
  isReady: ({ questions, counts }) => questions.length === 0 && counts.new > 0,
  stage: async ({ source, file }) => (await call(routes.uploadBankFile, { query: { account: accountOf(), source }, file }, asAct())).data,
  read: async (uuid) => (await call(routes.readBankImport, { params: { uuid } }, { quiet: true })).data,
  lines: async (uuid, state, limit) =>
    (await call(routes.listBankImportLines, { params: { uuid }, query: { state, limit } }, { quiet: true })).data,
  start: async ({ uuid, version }) => (await call(routes.startBankImport, { params: { uuid }, body: { version } }, asAct())).data,
  cancel: async ({ uuid }) => (await call(routes.cancelBankImport, { params: { uuid } }, asAct())).data,
});

/** A bank's statement on its way in: it is sent once its account is known, and may be read another way. */
export function createImport({ call, ...deps }: ImportDeps & { readonly call: Call }, account: string): StatementImport {
  const of = createStore<StatementState>(() => ({ account, given: null }));
  const kind = kindFor(call, () => chosenAccount(of.getState()) ?? "");
  const work = createImportWork(kind, deps);
  const give = async (given: Given): Promise<void> => {
    if (chosenAccount(of.getState()) === null) return of.setState({ given });
    of.setState({ given: null });
    await work.give(given);
  };
  return {
    ...work,
    of,
    give,
    setAccount(written) {
      of.setState({ account: written });
      const { given } = of.getState();
      if (chosenAccount({ account: written }) !== null && given !== null) void give(given);
    },
    setLayout: (change) =>
      work.change(async ({ uuid, version, layout }) => {
        const body = { version, layout: { ...layout, ...change } };
        return (await call(routes.changeBankImport, { params: { uuid }, body }, asAct())).data;
      }),
  };
}
