import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { GameImport, GameImportLine, GameLineState } from "../../../contract/game-imports.ts";
import { gameImportRoutes as routes } from "../../../contract/game-imports.ts";
import { newUuid } from "../../../values/uuid.ts";
import type { Call } from "../../api/call.ts";
import { CallFailure } from "../../api/failure.ts";
import { refusalOf } from "../../api/refusal.ts";
import type { Given } from "../../kit/form/pasted-table.ts";

export interface GameImportState {
  /** What the server made of the lines; null before any were given. */
  readonly file: GameImport | null;
  /** A request is on its way. */
  readonly busy: boolean;
  /** Why the last request was refused, in the operator's language. */
  readonly refused: string | null;
  readonly shown: GameLineState;
  /** null while the server has not answered. */
  readonly lines: readonly GameImportLine[] | null;
}

export interface GameImportWork {
  readonly store: StoreApi<GameImportState>;
  give(given: Given): Promise<void>;
  show(state: GameLineState): Promise<void>;
  start(): Promise<void>;
  /** Stops a running import, or throws staged lines away. */
  cancel(): Promise<void>;
  /** The sheet is closed: nothing is looked at any more; a running import goes on without it. */
  close(): void;
}

interface Deps {
  readonly call: Call;
  /** Waits; replaced by tests. */
  wait(ms: number): Promise<void>;
  /** Games have been written. */
  added(): void;
}

/** ms between two looks at a running import, and lines of the preview that are fetched. */
const lookEvery = 700;
const linesShown = 500;

/** What the operator must look at first: lines that are wrong, else what is new or changes. */
const firstShown = ({ counts }: GameImport): GameLineState =>
  (["wrong", "new", "changed"] as const).find((state) => counts[state] > 0) ?? "same";

const goesOn = (file: GameImport | null): boolean => file?.state === "waiting" || file?.state === "running";

/** Games on their way in: what the server reads of the lines, and how far it is with writing them. */
export function createGameImport({ call, wait, added }: Deps, provider: string): GameImportWork {
  const store = createStore<GameImportState>(() => ({ file: null, busy: false, refused: null, shown: "new", lines: null }));
  let isOpen = true;

  /** A refusal is shown in the sheet. */
  async function ask(request: () => Promise<GameImport>): Promise<GameImport | null> {
    if (store.getState().busy) return null;
    store.setState({ busy: true, refused: null });
    try {
      const file = await request();
      store.setState({ file });
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

  async function readLines(uuid: string, state: GameLineState): Promise<void> {
    store.setState({ shown: state, lines: null });
    const sent = { params: { uuid }, query: { state, limit: linesShown } };
    const answer = await call(routes.listGameImportLines, sent, { quiet: true }).catch(() => null);
    const now = store.getState();
    if (answer !== null && now.shown === state && now.file?.uuid === uuid) store.setState({ lines: answer.data });
  }

  async function follow(uuid: string): Promise<void> {
    while (isOpen && goesOn(store.getState().file)) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await wait(lookEvery);
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      const answer = await call(routes.readGameImport, { params: { uuid } }, { quiet: true }).catch(() => null);
      if (isOpen && answer !== null) store.setState({ file: answer.data });
    }
    added();
    const { file, shown } = store.getState();
    if (isOpen && file !== null) await readLines(uuid, file.counts[shown] > 0 ? shown : firstShown(file));
  }

  return {
    store,
    async give({ source, file }) {
      const sent = { params: { merchantProviderUuid: provider }, query: { source }, file };
      const staged = await ask(async () => (await call(routes.uploadGames, sent, { idempotencyKey: newUuid(), quiet: true })).data);
      if (staged !== null) await readLines(staged.uuid, firstShown(staged));
    },
    async show(state) {
      const { file } = store.getState();
      if (file !== null) await readLines(file.uuid, state);
    },
    async start() {
      const { file } = store.getState();
      if (file?.state !== "staged") return;
      const { uuid } = file;
      const sent = { params: { uuid }, body: {} };
      const begun = await ask(async () => (await call(routes.startGameImport, sent, { idempotencyKey: newUuid(), quiet: true })).data);
      if (begun !== null) await follow(uuid);
    },
    async cancel() {
      const { file } = store.getState();
      if (file === null) return;
      const sent = { params: { uuid: file.uuid }, body: {} };
      await ask(async () => (await call(routes.cancelGameImport, sent, { idempotencyKey: newUuid(), quiet: true })).data);
    },
    close() {
      isOpen = false;
    },
  };
}
