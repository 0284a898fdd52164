import type { pinRoutes } from "../../contract/pins.ts";
import type { preferenceRoutes } from "../../contract/preferences.ts";
import type { StaffCall } from "../call.ts";
import type { Handlers } from "../handlers.ts";
import { readPreferences, updatePreferences } from "./preferences.ts";
import { readPinFigures } from "./pin-figures.ts";
import { listPinned, pinView } from "./pins.ts";
import { createView, deleteView, listViews, updateView } from "./views.ts";

export const preferenceHandlers: Handlers<typeof preferenceRoutes, StaffCall> = {
  async readPreferences(call) {
    return { data: await readPreferences(call) };
  },
  async updatePreferences(call, { body }) {
    return { data: await updatePreferences(call, body) };
  },
  async listViews(call, { query }) {
    return { data: await listViews(call, query.screen ?? null) };
  },
  async createView(call, { body }) {
    return { data: await createView(call, body) };
  },
  async updateView(call, { params, body }) {
    return { data: await updateView(call, params.uuid, body) };
  },
  async deleteView(call, { params }) {
    return { data: await deleteView(call, params.uuid) };
  },
};

export const pinHandlers: Handlers<typeof pinRoutes, StaffCall> = {
  async listPinnedViews(call) {
    return { data: await listPinned(call) };
  },
  async pinView(call, { params, body }) {
    return { data: await pinView(call, params.uuid, body) };
  },
  async readPinFigures(call, { body }) {
    return { data: await readPinFigures(call, body.lists) };
  },
};
