import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { BankLayout } from "../../../contract/bank-layouts.ts";
import type { BankImport, BankImportLine, importLineStates } from "../../../contract/bank-imports.ts";
import { bankImportRoutes as routes } from "../../../contract/bank-imports.ts";
import { newUuid } from "../../../values/uuid.ts";
import type { Call } from "../../api/call.ts";
import { CallFailure } from "../../api/failure.ts";
import { refusalOf } from "../../api/refusal.ts";
import type { Given } from "../../kit/form/pasted-table.ts";
import { splitReferences } from "../../kit/form/codecs.ts";

export type LineState = (typeof importLineStates)[number];

export interface ImportState {
  /** The payment account the statement is of, as its field has it: also what was typed before one is chosen. */
  readonly account: string;
  /** What the server made of the file; null before one was given. */
  readonly file: BankImport | null;
  /** A request is on its way. */
  readonly busy: boolean;
  /** Why the last request was refused, in the operator's language. */
  readonly refused: string | null;
  /** Which lines are listed. */
  readonly shown: LineState;
  /** null while the server has not answered. */
  readonly lines: readonly BankImportLine[] | null;
  /** The file that was given before the account was. */
  readonly given: Given | null;
}

/** ms between two looks at a running import. */
const lookEvery = 700;

/** Rows of the preview that are fetched. */
const linesShown = 200;

export interface ImportWork {
  readonly store: StoreApi<ImportState>;
  setAccount(written: string): void;
  /** A file or pasted text: sent at once, or once the account is known. */
  give(given: Given): Promise<void>;
  setLayout(change: Partial<BankLayout>): Promise<void>;
  show(state: LineState): Promise<void>;
  start(): Promise<void>;
  /** Stops a running import, or throws a staged file away. */
  cancel(): Promise<void>;
  /** The sheet is closed: nothing is looked at any more; a running import goes on without it. */
  close(): void;
}

interface ImportDeps {
  readonly call: Call;
  /** Waits; replaced by tests. */
  wait(ms: number): Promise<void>;
  /** Lines have been added. */
  added(): void;
}

/** The account that was chosen; null: none yet. */
export const chosenAccount = ({ account }: Pick<ImportState, "account">): string | null => splitReferences(account).chosen[0] ?? null;

/** Which lines the operator must look at first: those that could not be read, else the new ones. */
const firstShown = ({ counts }: BankImport): LineState => (counts.unreadable > 0 ? "unreadable" : counts.new > 0 ? "new" : "known");

/** One import: its account, its file as the server reads it, and how far it is. */
export function createImport({ call, wait, added }: ImportDeps, account: string): ImportWork {
  const store = createStore<ImportState>(() => ({
    account,
    file: null,
    busy: false,
    refused: null,
    shown: "new",
    lines: null,
    given: null,
  }));
  let isOpen = true;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one request after the other has ended, because each knows the version the one before has made. */
  function ask(request: () => Promise<BankImport | null>): Promise<BankImport | null> {
    const asked = last.then(() => sent(request));
    last = asked;
    return asked;
  }

  /** A refusal is shown in the sheet. */
  async function sent(request: () => Promise<BankImport | null>): Promise<BankImport | null> {
    store.setState({ busy: true, refused: null });
    try {
      const file = await request();
      if (file !== null) store.setState({ file });
      return file;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const { lines, words } = refusalOf(error);
      store.setState({ refused: Object.values(lines).flat().join(" ") || words });
      return null;
    } finally {
      store.setState({ busy: false });
    }
  }

  async function readLines(uuid: string, state: LineState): Promise<void> {
    store.setState({ shown: state, lines: null });
    const answer = await call(routes.listBankImportLines, { params: { uuid }, query: { state, limit: linesShown } }, { quiet: true }).catch(
      () => null,
    );
    const now = store.getState();
    if (answer !== null && now.shown === state && now.file?.uuid === uuid) store.setState({ lines: answer.data });
  }

  async function follow(uuid: string): Promise<void> {
    while (isOpen && store.getState().file?.state === "running") {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await wait(lookEvery);
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const answer = await call(routes.readBankImport, { params: { uuid } }, { quiet: true }).catch(() => null);
      if (isOpen && answer !== null) store.setState({ file: answer.data });
    }
    added();
    const { file, shown } = store.getState();
    if (isOpen && file !== null) await readLines(uuid, file.counts[shown] > 0 ? shown : firstShown(file));
  }

  const given = async ({ source, file }: Given): Promise<void> => {
    const of = chosenAccount(store.getState());
    if (of === null) return store.setState({ given: { source, file } });
    const staged = await ask(
      async () =>
        (await call(routes.uploadBankFile, { query: { account: of, source }, file }, { idempotencyKey: newUuid(), quiet: true })).data,
    );
    store.setState({ given: null });
    if (staged !== null) await readLines(staged.uuid, firstShown(staged));
  };

  return {
    store,
    give: given,
    setAccount(written) {
      store.setState({ account: written });
      const { given: waiting } = store.getState();
      if (chosenAccount({ account: written }) !== null && waiting !== null) void given(waiting);
    },
    async setLayout(change) {
      const read = await ask(async () => {
        const { file } = store.getState();
        if (file?.state !== "staged") return null;
        const { uuid, version, layout } = file;
        const body = { version, layout: { ...layout, ...change } };
        return (await call(routes.changeBankImport, { params: { uuid }, body }, { idempotencyKey: newUuid(), quiet: true })).data;
      });
      if (read !== null) await readLines(read.uuid, firstShown(read));
    },
    async show(state) {
      const { file } = store.getState();
      if (file !== null) await readLines(file.uuid, state);
    },
    async start() {
      const started = await ask(async () => {
        const { file } = store.getState();
        if (file?.state !== "staged" || file.questions.length > 0 || file.counts.new === 0) return null;
        const { uuid, version } = file;
        return (await call(routes.startBankImport, { params: { uuid }, body: { version } }, { idempotencyKey: newUuid(), quiet: true }))
          .data;
      });
      if (started !== null) await follow(started.uuid);
    },
    async cancel() {
      await ask(async () => {
        const { file } = store.getState();
        if (file === null || (file.state !== "staged" && file.state !== "running")) return null;
        return (await call(routes.cancelBankImport, { params: { uuid: file.uuid } }, { idempotencyKey: newUuid(), quiet: true })).data;
      });
    },
    close() {
      isOpen = false;
    },
  };
}
