import { z } from "zod";
import { control, Linked } from "./controls.ts";
import { permissions } from "./permissions.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1/user-groups";

/** The group whose members have every permission, also those added later; it can be neither edited nor deleted. */
export const ownerCode = "owner";

/** Permissions as a form ticks them; each once. */
export const Permissions = z
  .array(z.enum(permissions as [(typeof permissions)[number], ...typeof permissions])) // the table is not empty
  .max(permissions.length)
  .refine((all) => new Set(all).size === all.length, "Must not be named twice")
  .meta(control("permissions"));

export const UserGroup = z.object({
  uuid: Uuid,
  version: Version,
  code: z.string(),
  name: z.string(),
  /** Number of members, of whatever status. */
  members: z.int(),
  /** Number of permissions; of the owners' group all there are. */
  permission_count: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type UserGroup = z.infer<typeof UserGroup>;

const UserGroupDetail = z.object({
  row: UserGroup,
  permissions: z.array(z.string()),
  /** At most 200, by name. */
  people: z.array(z.object({ uuid: Uuid, name: z.string(), email: z.string(), status: z.string() })),
  history: z.array(RecordEvent),
});
export type UserGroupDetail = z.infer<typeof UserGroupDetail>;

const GroupCode = z
  .string()
  .trim()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Must be lowercase letters, digits and single hyphens")
  .min(2)
  .max(40)
  .meta(control("text"));

const UserGroupEdit = z.strictObject({ name: Name(60), permissions: Permissions });
export type UserGroupEdit = z.infer<typeof UserGroupEdit>;
export const UserGroupForm = z.strictObject({ code: GroupCode, name: Name(60), permissions: Permissions });

export const userGroupColumns = defineColumns({
  code: { filter: "part", most: 40, sort: true, find: "part" },
  name: { filter: "part", most: 60, sort: true, find: "part" },
  members: { sort: true },
  permission_count: { sort: true },
  created_at: { filter: "time", sort: true },
  updated_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

/** Nobody gives or takes by a group what they do not hold themselves: such a change is refused at `permissions` (422). */
export const userGroupRoutes = defineRoutes({
  ...recordRoutes(base, "cas.user.groups", {
    one: "UserGroup",
    many: "UserGroups",
    columns: userGroupColumns,
    row: UserGroup,
    detail: UserGroupDetail,
    create: UserGroupForm,
    update: UserGroupEdit,
    remove: true,
  }),
  /** Deletes a group whose members go to another one. */
  dissolveUserGroup: {
    method: "POST",
    path: `${base}/{uuid}/dissolve`,
    permission: "cas.user.groups.delete",
    stepUp: true,
    params: z.strictObject({ uuid: Uuid }),
    body: z.strictObject({ version: Version, into: Uuid.meta(control("reference", "user-groups")) }),
    /** How many members went. */
    answer: z.object({ moved: z.int(), into: Linked }),
    refuses: ["record.stale", "group.fixed", "user.last-owner"],
  },
});
