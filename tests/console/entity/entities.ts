import type { Entity } from "../../../src/console/entity/entity.ts";

/** Every screen that is drawn from a description, found by its file. */
const modules = import.meta.glob<Record<string, Entity>>("../../../src/console/screens/*/*-entity.ts", { eager: true });

export const entities: readonly Entity[] = Object.values(modules).flatMap((one) => Object.values(one));
