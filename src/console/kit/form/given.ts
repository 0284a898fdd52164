import type { z } from "zod";
import type { FieldLines } from "../../../contract/problems.ts";
import type { RowTexts } from "./codecs.ts";
import { emptyText, readGiven, splitReferences, textOfGiven } from "./codecs.ts";
import type { Values } from "./conflict.ts";
import type { FormField, SayRule } from "./fields.ts";
import { checkForm, formFields } from "./fields.ts";

/** Fields that a record chosen in the form brings along: to an item those its category asks for. */
export interface GivenFields {
  readonly fields: readonly FormField[];
  /** What is wrong with their texts, by field. */
  check(texts: RowTexts): FieldLines;
}

/** Where such fields come from. */
export interface GivenSource {
  /** The field that names the record. */
  readonly by: string;
  load(uuid: string): Promise<GivenFields>;
}

/** The fields of a schema with a text for each value. */
export function givenFields(schema: z.ZodObject, say: SayRule): GivenFields {
  const fields = [...formFields(schema, schema, []).values()];
  return {
    fields,
    check(texts) {
      const checked = checkForm(schema, texts, fields, say, 0);
      return "lines" in checked ? checked.lines : {};
    },
  };
}

/** The text of each field that is there; one nobody has written into yet has what it begins with. */
export function givenTexts({ fields }: GivenFields, value: string): RowTexts {
  const texts = readGiven(value);
  return Object.fromEntries(fields.map((field) => [field.name, texts[field.name] ?? emptyText(field)]));
}

/** A form's given fields as they come and go with the records chosen. */
export class GivenByField {
  #deps: Readonly<Record<string, GivenSource>>;
  #asked = new Map<string, string>();
  #found = new Map<string, GivenFields | "failed">();
  #publish: () => void;

  constructor(deps: Readonly<Record<string, GivenSource>>, publish: () => void) {
    this.#deps = deps;
    this.#publish = publish;
  }

  of(name: string): GivenFields | "failed" | "loading" | "none" {
    return this.#found.get(name) ?? (this.#asked.get(name) ? "loading" : "none");
  }

  follow(values: Values): void {
    for (const [name, { by, load }] of Object.entries(this.#deps)) {
      const uuid = splitReferences(values[by] ?? "").chosen[0] ?? "";
      if ((this.#asked.get(name) ?? "") === uuid) continue;
      this.#asked.set(name, uuid);
      this.#found.delete(name);
      if (uuid !== "") void this.#load(name, uuid, load);
    }
  }

  async #load(name: string, uuid: string, load: GivenSource["load"]): Promise<void> {
    const found = await load(uuid).catch((): "failed" => "failed");
    if (this.#asked.get(name) !== uuid) return;
    this.#found.set(name, found);
    if (found === "failed") this.#asked.delete(name); // chosen again it is asked for again
    this.#publish();
  }

  /** The values as they are sent: of given fields those that are there now. */
  kept(values: Values): Values {
    const cut = this.#known().map(([name, given]) => [name, textOfGiven(givenTexts(given, values[name] ?? ""))]);
    return { ...values, ...Object.fromEntries(cut) };
  }

  check(values: Values): FieldLines {
    const lines = this.#known().flatMap(([name, given]) =>
      Object.entries(given.check(readGiven(values[name] ?? ""))).map(([own, line]) => [`${name}.${own}`, line]),
    );
    return Object.fromEntries(lines);
  }

  #known(): [string, GivenFields][] {
    return [...this.#found].flatMap(([name, given]): [string, GivenFields][] => (given === "failed" ? [] : [[name, given]]));
  }
}
