import { createStore } from "zustand/vanilla";
import type { CheckRun } from "../../../contract/master-accounts.ts";
import { masterAccountRoutes as routes } from "../../../contract/master-accounts.ts";
import { formatCount } from "../../../values/counts.ts";
import { newUuid } from "../../../values/uuid.ts";
import type { CreditDesk } from "../../kit/commands/desks.ts";
import type { Services } from "../../kit/commands/services.ts";

/** ms between two looks at how far a job is. */
const pause = 600;

const isOpen = ({ state }: CheckRun): boolean => state === "waiting" || state === "running";

/** The checks one screen has asked for: each job until it has ended, the newest shown. */
export class CreditChecks implements CreditDesk {
  readonly shown = createStore<{ run: CheckRun | null }>()(() => ({ run: null }));
  readonly #services: Services;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(services: Services) {
    this.#services = services;
  }

  async check(uuids: readonly string[]): Promise<void> {
    const body = { uuids: [...uuids] };
    const { data } = await this.#services.call(routes.checkMasterAccounts, { body }, { idempotencyKey: newUuid() });
    this.#services.say("master-account.said.checking", { count: data.total, shown: formatCount(data.total) });
    clearTimeout(this.#timer);
    this.shown.setState({ run: data });
    this.#lookLater(uuids);
  }

  cancel = async (): Promise<void> => {
    const { run } = this.shown.getState();
    if (run === null) return;
    await this.#services.call(routes.cancelCreditCheck, { params: { uuid: run.uuid }, body: {} }, { idempotencyKey: newUuid() });
  };

  open(): void {
    this.#closed = false;
  }

  /** The screen is left: the job goes on, and nobody looks. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #lookLater(uuids: readonly string[]): void {
    this.#timer = setTimeout(() => void this.#look(uuids), pause);
  }

  async #look(uuids: readonly string[]): Promise<void> {
    const { run } = this.shown.getState();
    if (run === null || this.#closed) return;
    const read = this.#services.call(routes.readCreditCheck, { params: { uuid: run.uuid } }, { quiet: true });
    const now = await read.then(
      ({ data }) => data,
      () => null,
    );
    if (this.shown.getState().run !== run) return;
    if (now === null) return this.#lookLater(uuids); // the next look may get through
    this.shown.setState({ run: isOpen(now) ? { ...now, total: Math.max(now.total, run.total) } : null });
    if (now.done > run.done || !isOpen(now))
      this.#services.changed(
        "master-account",
        uuids.map((uuid) => ({ uuid })),
      );
    if (isOpen(now)) return this.#lookLater(uuids);
    const words = { count: now.done, shown: formatCount(now.done), failed: formatCount(now.failed) };
    if (now.state === "cancelled") this.#services.say("master-account.said.cancelled", words, "warn");
    else if (now.state === "failed" || now.failed > 0) this.#services.say("master-account.said.some-failed", words, "warn");
    else this.#services.say("master-account.said.checked", words, "done");
  }
}
