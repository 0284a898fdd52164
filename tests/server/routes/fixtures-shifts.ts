import { randomUUID } from "node:crypto";
import type { Fixture } from "./fixtures.ts";

/** For each route of shifts and their hand-over. */
export const shiftFixtures = {
  readShift: { foreign: "names no ids", make: async () => ({}) },
  handOver: { foreign: "names no ids", make: async () => ({ body: { note: "Two wait for their bank" } }) },
  listHandOvers: { foreign: "names no ids", make: async () => ({}) },
  // marking what is not there, or another tenant's, marks nothing and tells nothing
  readHandOvers: { foreign: "names no ids", make: async () => ({ body: { uuids: [randomUUID()] } }) },
} satisfies Readonly<Record<string, Fixture>>;
