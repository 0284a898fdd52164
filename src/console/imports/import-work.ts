import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import { newUuid } from "../../values/uuid.ts";
import { CallFailure } from "../api/failure.ts";
import { refusalOf } from "../api/refusal.ts";
import type { Given } from "../kit/form/pasted-table.ts";

/** What the server made of a file: staged until somebody starts it, then written by the server. */
export interface ImportFile {
  readonly uuid: string;
  readonly state: "staged" | "waiting" | "running" | "done" | "cancelled" | "failed";
  readonly file_name: string | null;
  /** Its lines, by what becomes of them. */
  readonly counts: Readonly<Record<string, number>>;
}

/** A line of the file, by its number there, and what becomes of it. */
export interface ImportLine {
  readonly n: number;
  readonly state: string;
}

/** What one kind of import asks the server, and how it is looked at. */
export interface ImportKind<File extends ImportFile, Line extends ImportLine> {
  stage(given: Given): Promise<File>;
  read(uuid: string): Promise<File>;
  lines(uuid: string, state: Line["state"], limit: number): Promise<readonly Line[]>;
  start(file: File): Promise<File>;
  /** Stops a running import, or throws a staged file away. */
  cancel(file: File): Promise<File>;
  /** Whether a staged file may be started. */
  isReady(file: File): boolean;
  /** What the operator must look at first comes first: those of the first state there are lines of are listed. */
  readonly states: readonly [Line["state"], ...Line["state"][]];
  /** Lines of a state that are fetched. */
  readonly linesShown: number;
}

export interface ImportState<File extends ImportFile, Line extends ImportLine> {
  /** What the server made of the file; null before one was given. */
  readonly file: File | null;
  /** A request is on its way. */
  readonly busy: boolean;
  /** Why the last request was refused, in the operator's language. */
  readonly refused: string | null;
  /** Which lines are listed. */
  readonly shown: Line["state"];
  /** null while the server has not answered. */
  readonly lines: readonly Line[] | null;
}

export interface ImportWork<File extends ImportFile, Line extends ImportLine> {
  readonly store: StoreApi<ImportState<File, Line>>;
  /** A file or pasted text. */
  give(given: Given): Promise<void>;
  /** Has a staged file read another way. */
  change(request: (file: File) => Promise<File>): Promise<void>;
  show(state: Line["state"]): Promise<void>;
  start(): Promise<void>;
  cancel(): Promise<void>;
  /** The sheet is closed: nothing is looked at any more; a running import goes on without it. */
  close(): void;
}

export interface ImportDeps {
  /** Waits; replaced by tests. */
  wait(ms: number): Promise<void>;
  /** Something has been written. */
  added(): void;
}

/** ms between two looks at a running import. */
const lookEvery = 700;

export const runs = (file: ImportFile | null): boolean => file?.state === "waiting" || file?.state === "running";

/** How an import's requests that change something are sent: refusals are the sheet's to show. */
export const asAct = () => ({ idempotencyKey: newUuid(), quiet: true });

/** One import: its file as the server reads it, and how far it is. */
export function createImportWork<File extends ImportFile, Line extends ImportLine>(
  kind: ImportKind<File, Line>,
  { wait, added }: ImportDeps,
): ImportWork<File, Line> {
  const [first] = kind.states;
  const store = createStore<ImportState<File, Line>>(() => ({ file: null, busy: false, refused: null, shown: first, lines: null }));
  let isOpen = true;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one request after the other has ended, because each knows the version the one before has made. */
  function ask(request: (file: File | null) => Promise<File | null>): Promise<File | null> {
    const asked = last.then(() => sent(request));
    last = asked;
    return asked;
  }

  /** A refusal is shown in the sheet. */
  async function sent(request: (file: File | null) => Promise<File | null>): Promise<File | null> {
    store.setState({ busy: true, refused: null });
    try {
      const file = await request(store.getState().file);
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

  const firstShown = ({ counts }: File): Line["state"] =>
    kind.states.find((state) => (counts[state] ?? 0) > 0) ?? kind.states.at(-1) ?? first;

  async function readLines(uuid: string, state: Line["state"]): Promise<void> {
    store.setState({ shown: state, lines: null });
    const lines = await kind.lines(uuid, state, kind.linesShown).catch(() => null);
    const now = store.getState();
    if (lines !== null && now.shown === state && now.file?.uuid === uuid) store.setState({ lines });
  }

  async function follow(uuid: string): Promise<void> {
    while (isOpen && runs(store.getState().file)) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await wait(lookEvery);
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const file = await kind.read(uuid).catch(() => null);
      if (isOpen && file !== null) store.setState({ file });
    }
    added();
    const { file, shown } = store.getState();
    if (isOpen && file !== null) await readLines(uuid, (file.counts[shown] ?? 0) > 0 ? shown : firstShown(file));
  }

  return {
    store,
    async give(given) {
      const staged = await ask(() => kind.stage(given));
      if (staged !== null) await readLines(staged.uuid, firstShown(staged));
    },
    async change(request) {
      const read = await ask(async (file) => (file?.state === "staged" ? request(file) : null));
      if (read !== null) await readLines(read.uuid, firstShown(read));
    },
    async show(state) {
      const { file } = store.getState();
      if (file !== null) await readLines(file.uuid, state);
    },
    async start() {
      const started = await ask(async (file) => (file?.state === "staged" && kind.isReady(file) ? kind.start(file) : null));
      if (started !== null) await follow(started.uuid);
    },
    async cancel() {
      await ask(async (file) => (file?.state === "staged" || runs(file) ? file && kind.cancel(file) : null));
    },
    close() {
      isOpen = false;
    },
  };
}
