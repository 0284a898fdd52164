import type { FormWords } from "../kit/form/rules.ts";
import type { text } from "../kit/texts/texts.ts";
import type { Entity } from "./entity.ts";
import { choiceKey, hintKey, labelKey } from "./entity.ts";

/** What an entity's form says of its fields: <subject>.field.<name>, .hint.<name>, <subject>.<field>.<value>. */
export function entityWords(entity: Pick<Entity, "subject" | "words">, t: typeof text): FormWords {
  return {
    label: (path) => t(labelKey(entity, path)),
    hint(path) {
      const key = hintKey(entity, path);
      return key === null ? null : t(key);
    },
    choice(path, value) {
      const key = choiceKey(entity, path, value);
      return key === null ? value : t(key);
    },
  };
}
