import type { QueryClient } from "@tanstack/react-query";
import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Receipt } from "../../../contract/receipts.ts";
import { mostReceiptBytes, receiptRoutesOf, receiptTypes } from "../../../contract/receipts.ts";
import type { Answer } from "../../../contract/route.ts";
import { newUuid } from "../../../values/uuid.ts";
import type { Call } from "../../api/call.ts";
import { CallFailure } from "../../api/failure.ts";
import { refusalOf } from "../../api/refusal.ts";
import type { ReceiptDesk } from "../../kit/commands/desks.ts";
import type { Services } from "../../kit/commands/services.ts";
import { text } from "../../kit/texts/texts.ts";

export type ReceiptKind = keyof typeof receiptRoutesOf;

export interface ReceiptState {
  /** The file on its way, and to which transaction. */
  readonly sending: { readonly uuid: string; readonly name: string } | null;
  /** Why the last file was not taken. */
  readonly refused: { readonly uuid: string; readonly why: string } | null;
  /** What the viewer shows. */
  readonly viewing: { readonly uuid: string; readonly receipts: readonly Receipt[]; readonly at: number } | null;
}

export interface ReceiptDeps {
  readonly kind: ReceiptKind;
  readonly call: Call;
  readonly services: Services;
  readonly queries: QueryClient;
  /** First in each key: tenant and currency. */
  readonly scope: readonly (string | null)[];
  /** Reads the row as it is now. */
  readRow(uuid: string): Promise<{ readonly uuid: string }>;
  /** Opens the browser's dialog; null: nothing was chosen. */
  pickFile(accept: string): Promise<File | null>;
}

type Listed = Answer<(typeof receiptRoutesOf)[ReceiptKind]["list"]>["data"];

/** The receipts of the transactions of one screen: what is sent, refused and looked at. */
export class ReceiptWork implements ReceiptDesk {
  readonly store: StoreApi<ReceiptState> = createStore<ReceiptState>()(() => ({ sending: null, refused: null, viewing: null }));
  readonly kind: ReceiptKind;
  readonly #deps: ReceiptDeps;

  constructor(deps: ReceiptDeps) {
    this.#deps = deps;
    this.kind = deps.kind;
  }

  /** The read of a transaction's receipts. */
  listOf(uuid: string) {
    const { call, kind, scope } = this.#deps;
    return {
      queryKey: [...scope, kind, "receipts", uuid] as const,
      queryFn: async ({ signal }: { signal?: AbortSignal }): Promise<Listed> =>
        (await call(receiptRoutesOf[kind].list, { params: { uuid } }, { quiet: true, ...(signal && { signal }) })).data,
      staleTime: 15_000,
    };
  }

  /** The read of a receipt's file, which is not kept for long, because it may be large. */
  fileOf(uuid: string, receipt: string) {
    const { call, kind, scope } = this.#deps;
    return {
      queryKey: [...scope, kind, "receipt-file", receipt] as const,
      queryFn: async ({ signal }: { signal?: AbortSignal }) =>
        (await call(receiptRoutesOf[kind].read, { params: { uuid, receipt } }, { quiet: true, ...(signal && { signal }) })).data,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 30_000,
    };
  }

  /** Takes a file to the transaction; every refusal is told where the receipts are. */
  async send(uuid: string, file: File): Promise<void> {
    const { kind, services, queries, call } = this.#deps;
    if (this.store.getState().sending !== null) return;
    const name = file.name === "" ? "receipt" : file.name;
    const refuse = (why: string): void => {
      this.store.setState({ sending: null, refused: { uuid, why } });
    };
    if (file.size > mostReceiptBytes) return refuse(text("transaction.receipt.too-large"));
    this.store.setState({ sending: { uuid, name }, refused: null });
    try {
      const sent = { params: { uuid }, file };
      const { data } = await call(receiptRoutesOf[kind].add, sent, { quiet: true, idempotencyKey: newUuid() });
      queries.setQueryData(this.listOf(uuid).queryKey, data);
      this.store.setState({ sending: null });
      services.say("transaction.said.receipt-added", { name: data.receipts.at(-1)?.name ?? name }, "done");
      await this.#renew(uuid);
    } catch (error) {
      if (error instanceof CallFailure && error.kind === "aborted") this.store.setState({ sending: null });
      else refuse(refusalOf(error).words);
    }
  }

  async #renew(uuid: string): Promise<void> {
    const row = await this.#deps.readRow(uuid).catch(() => null);
    if (row !== null) this.#deps.services.changed(this.kind, [row]);
  }

  async add(uuid: string): Promise<void> {
    const file = await this.#deps.pickFile(receiptTypes.join());
    if (file !== null) await this.send(uuid, file);
  }

  async open(uuid: string, receipt?: string): Promise<void> {
    const { receipts } = await this.#deps.queries.fetchQuery(this.listOf(uuid));
    if (receipts.length === 0) return this.#deps.services.say("transaction.refuse.no-receipt", {}, "warn");
    const at = Math.max(
      receipts.findIndex((one) => one.uuid === receipt),
      0,
    );
    this.store.setState({ viewing: { uuid, receipts, at } });
  }

  /** Looks at another receipt of the same transaction: `by` 1 or -1. */
  turn(by: number): void {
    this.store.setState(({ viewing }) =>
      viewing === null ? {} : { viewing: { ...viewing, at: Math.min(Math.max(viewing.at + by, 0), viewing.receipts.length - 1) } },
    );
  }

  close(): void {
    this.store.setState({ viewing: null });
  }

  async remove(uuid: string): Promise<void> {
    const { kind, services, queries, call } = this.#deps;
    const { receipts } = await queries.fetchQuery(this.listOf(uuid));
    const chosen = receipts.length > 1 ? await this.#choose(receipts) : receipts[0]?.uuid;
    const receipt = receipts.find((one) => one.uuid === chosen);
    if (!receipt) return;
    const reason = await services.ask("text", {
      title: "transaction.ask.receipt-remove",
      label: "transaction.column.reason",
      words: { name: receipt.name },
      initial: "",
      maximum: 500,
      irreversible: true,
      refuse: (typed) => (typed.trim() === "" ? "sheet.reason.needed" : null),
    });
    if (reason === null) return;
    const sent = { params: { uuid, receipt: receipt.uuid }, body: { reason } };
    const { data } = await call(receiptRoutesOf[kind].remove, sent, { idempotencyKey: newUuid() });
    queries.setQueryData(this.listOf(uuid).queryKey, data);
    services.say("transaction.said.receipt-removed", { name: receipt.name }, "done");
    await this.#renew(uuid);
  }

  async #choose(receipts: readonly Receipt[]): Promise<string | null> {
    return this.#deps.services.ask("choice", {
      title: "transaction.ask.receipt-choice",
      words: {},
      options: receipts.map(({ uuid, name, by }) => ({ id: uuid, label: name, note: by, refused: null })),
    });
  }
}
