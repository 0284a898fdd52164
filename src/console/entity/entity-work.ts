import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "../api/api.ts";
import { describeFailure } from "../api/failure.ts";
import { amountDecimals, fieldAmount, notAmountLine, tooFineLine } from "../kit/amounts.ts";
import type { Services } from "../kit/services.ts";
import { problemText, text } from "../kit/texts.ts";
import { Details } from "../lists/details.ts";
import { filterSearch } from "../lists/filters.ts";
import { listDesk } from "../lists/list-desk.ts";
import type { ListNow } from "../lists/list-desk.ts";
import { ListPanes } from "../lists/list-panes.ts";
import type { RecordDesk } from "./desk.ts";
import { entityDoors } from "./doors.ts";
import type { EntityDoors } from "./doors.ts";
import type { Entity, RecordDetail, RecordRow } from "./entity.ts";
import { fieldOf, hintKey } from "./entity.ts";
import { EntityList } from "./entity-list.ts";
import type { Asked } from "./filters.ts";
import { askedList, listFilters } from "./filters.ts";
import type { FormField, SayRule } from "./form-fields.ts";
import { checkForm } from "./form-fields.ts";
import { FormSession } from "./form-session.ts";
import { discardQuestion } from "../kit/questions.ts";

export interface WorkNeeds {
  readonly entity: Entity;
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly tenant: string;
  readonly currency: string | null;
}

/** A form on screen. */
export interface OpenForm {
  readonly session: FormSession;
  /** Of a record that is changed; null for a new one. */
  readonly row: RecordRow | null;
}

/** What React draws and the work steers. */
export interface Drawn {
  readonly now: ListNow;
  showForm(form: OpenForm | null): void;
}

/** One screen of plain records at work: its list, its panes, its form, and what they lend the commands. */
export class EntityWork {
  readonly list: EntityList;
  readonly panes: ListPanes<RecordRow>;
  readonly details: Details<RecordDetail>;
  readonly desk: RecordDesk;
  readonly #needs: WorkNeeds;
  readonly #doors: EntityDoors;
  #drawn: Drawn | null = null;

  constructor(needs: WorkNeeds) {
    this.#needs = needs;
    const { entity, services, queries, tenant, currency } = needs;
    this.#doors = entityDoors(entity, needs.api.call);
    this.list = new EntityList({ ...this.#doors, belongs: (row) => this.#belongs(row) });
    this.panes = new ListPanes({
      source: this.list.source,
      services,
      place: () => this.#now().place,
      aimOf: (row) => ({ id: entity.codeOf(row), note: entity.titleOf(row) }),
      bring: (uuid) => this.list.fetch(uuid),
    });
    this.panes.begin();
    this.details = new Details({ queries, scope: [tenant, currency, entity.subject], read: this.#doors.read });
    const filters = listFilters(entity);
    this.desk = {
      ...listDesk({ filters, services, panes: this.panes, now: () => this.#now() }),
      create: () => this.#openForm(null),
      edit: (uuid) => this.#openForm(uuid),
      reset: () => this.#now().place.set({ ...filterSearch(filters, {}), sort: null }, true),
    };
  }

  #now(): ListNow {
    if (this.#drawn === null) throw new Error("the screen is not drawn yet");
    return this.#drawn.now;
  }

  /** What the row itself tells about the choices in force; the server knows the rest. */
  #belongs(row: RecordRow): boolean {
    const { filters } = this.#now().asked;
    return this.#needs.entity.filters.every(({ field, choices, value }) => {
      const asked = filters[field];
      if (asked === undefined || choices === undefined) return true;
      return asked.split(",").includes(value ? value(row) : String(fieldOf(row, field)));
    });
  }

  /** The screen as it has just been drawn. */
  draw(drawn: Drawn): void {
    this.#drawn = drawn;
  }

  ask(asked: Asked, zone: number): void {
    this.panes.begin();
    const { entity, api } = this.#needs;
    void this.list.load(() => askedList(entity, asked, api.time.now(), zone));
  }

  // ── changes and details ──

  took(rows: readonly { readonly uuid: string }[]): void {
    this.list.took(rows);
    for (const { uuid } of rows) this.details.forget(uuid);
  }

  async look(uuids: readonly string[]): Promise<void> {
    await this.list.look(uuids);
    for (const uuid of uuids) this.details.forget(uuid);
  }

  lookAhead({ row }: RecordDetail): void {
    const known = this.list.source.get(row.uuid);
    if (known && row.version > known.version) this.list.took([row]);
    const next = this.list.source.at(this.list.source.indexOf(row.uuid) + 1);
    if (next) this.details.ahead(next);
  }

  // ── the form ──

  #openForm(uuid: string | null): void {
    const { entity } = this.#needs;
    const row = uuid === null ? null : (this.list.source.get(uuid) ?? null);
    if (uuid !== null && row === null) return;
    const fields = row === null ? entity.form.fields : entity.form.fields.filter(({ fixed }) => !fixed);
    const values = Object.fromEntries(
      fields.map((field) => [field.name, row === null ? emptyOf(field) : (entity.form.valuesOf(row)[field.name] ?? "")]),
    );
    const session = new FormSession(
      {
        check: (typed, version) =>
          version === null
            ? checkForm(entity.routes.create.body, typed, fields, this.#sayRule, amountDecimals())
            : checkForm(entity.routes.update.body, { ...typed, version }, fields, this.#sayRule, amountDecimals()),
        send: (body, key) => (row === null ? this.#doors.create(body, key) : this.#doors.update(row.uuid, body, key)),
        current: () => this.#doors.read(row?.uuid ?? ""),
        valuesOf: (now) => {
          const all = entity.form.valuesOf(now);
          return Object.fromEntries(fields.map(({ name }) => [name, all[name] ?? ""]));
        },
        shows: (name) => fields.some((field) => field.name === name),
        wordsOf(failure) {
          const { text: words } = describeFailure(failure, { text, problem: problemText });
          return failure.requestId === null ? words : `${words} (${failure.requestId})`;
        },
      },
      values,
      row?.version ?? null,
    );
    this.#drawn?.showForm({ session, row });
  }

  #sayRule: SayRule = (field, issue) => {
    const { entity } = this.#needs;
    if (issue.code === "too_small" || (field.required && issue.code === "invalid_value")) return text("record.rule.required");
    if (issue.code === "too_big" && field.maximum !== null) return text("record.rule.too-long", { count: field.maximum });
    if (issue.code === "too_fine") return tooFineLine(text, amountDecimals());
    if (field.control === "amount") return notAmountLine(text, amountDecimals());
    if (field.control === "rate" || field.control === "url") return text(`record.rule.${field.control}`);
    const hint = hintKey(entity, field.name);
    return hint === null ? issue.message : text(hint);
  };

  /** Mod+Enter in the form. */
  async saveForm({ session, row }: OpenForm): Promise<void> {
    const { entity, services } = this.#needs;
    const saved = await session.save();
    if (saved === "open") return;
    this.#drawn?.showForm(null);
    if (saved === "unchanged") return services.say("record.said.unchanged");
    services.changed(entity.subject, [saved.row]);
    const name = entity.titleOf(saved.row);
    services.say(row === null ? "record.said.created" : "record.said.saved", { name }, "done");
    if (row === null) this.panes.grid?.scrollToId(saved.row.uuid);
  }

  /** Escape in the form: nothing typed is lost unasked. */
  async leaveForm({ session }: OpenForm): Promise<void> {
    if (session.getState().saving) return;
    if (session.isChanged) {
      const sure = await this.#needs.services.ask("confirm", discardQuestion);
      if (sure !== true) return;
    }
    this.#drawn?.showForm(null);
  }
}

/** A choice begins with its first, an amount that is needed with none. */
function emptyOf({ control, required, choices }: FormField): string {
  if (control === "choice") return required ? (choices[0] ?? "") : "";
  return control === "amount" && required ? fieldAmount("0") : "";
}
