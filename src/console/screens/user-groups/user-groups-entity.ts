import { ownerCode, userGroupColumns, userGroupRoutes as routes } from "../../../contract/user-groups.ts";
import { defineEntity } from "../../entity/entity.ts";
import { linksTo, tableOf } from "../../entity/named.ts";
import { GroupRightsSection } from "./group-rights.tsx";

export const userGroups = defineEntity({
  screen: "user-groups",
  subject: "user-group",
  routes: {
    list: routes.listUserGroups,
    read: routes.readUserGroup,
    create: routes.createUserGroup,
    update: routes.updateUserGroup,
    remove: routes.deleteUserGroup,
  },
  titleOf: ({ name }) => name,
  codeOf: ({ code }) => code,
  order: "name",
  // the owners' group is what it is
  refuses: ({ code }, act) => (code === ownerCode && act !== "duplicate" ? "user-group.refuse.fixed" : null),
  duplicate: ({ permissions = "" }) => ({ permissions }),
  columns: [
    { field: "name", width: 240, minWidth: 140, grow: 1 },
    { field: "code", as: "mono", width: 200, minWidth: 120, grow: 0.5 },
    { field: "members", as: "count", width: 112 },
    { field: "permission_count", as: "count", width: 136 },
    { field: "created_at", as: "time", width: 156 },
    { field: "updated_at", as: "time", width: 156 },
  ],
  columnMap: userGroupColumns,
  sections: [
    {
      name: "identity",
      lines: [
        { field: "code", as: "mono" },
        { field: "members", as: "count" },
        { field: "permission_count", as: "count" },
      ],
    },
    {
      name: "people",
      applies: ({ people }) => people.length > 0,
      table: tableOf({
        columns: [
          { field: "name", links: ({ uuid, name }: { uuid: string; name: string }) => linksTo("users", [{ uuid, name, code: null }]) },
          { field: "status", as: "status" },
        ],
        rows: ({ people }) => people,
      }),
    },
    { name: "rights", draw: GroupRightsSection },
    {
      name: "dates",
      lines: [
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: {
    groups: [
      { name: "identity", fields: ["name", "code"] },
      { name: "grants", fields: ["permissions"] },
    ],
  },
});
