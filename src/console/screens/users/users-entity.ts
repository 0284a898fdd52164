import { userColumns, userRoutes as routes } from "../../../contract/users.ts";
import { defineEntity } from "../../entity/entity.ts";
import { linksTo } from "../../entity/named.ts";
import { InvitationSection } from "./invitation-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { SignInActs } from "./sign-in-acts.tsx";
import { UserRightsSection } from "./user-rights.tsx";

export const users = defineEntity({
  screen: "users",
  subject: "user",
  routes: {
    list: routes.listUsers,
    read: routes.readUser,
    update: routes.updateUser,
    status: routes.changeUserStatus,
  },
  madeBy: routes.lookUpUser.permission,
  titleOf: ({ name, email }) => name ?? email,
  codeOf: ({ name, email }) => name ?? email,
  order: "name",
  refuses({ uuid, invited_until }, act, operator) {
    if (uuid === operator) return "user.refuse.oneself";
    return act === "status" && invited_until !== null ? "user.refuse.pending" : null;
  },
  removedBy: "user.remove",
  unbuttoned: [
    "user.force-password-reset",
    "user.reset-two-factor",
    "user.end-sessions",
    "user.resend-invitation",
    "user.withdraw-invitation",
  ],
  views: [
    { id: "all", search: {} },
    { id: "active", search: { status: "active" } },
    { id: "invited", search: { status: "pending,expired" } },
    { id: "locked", search: { status: "inactive,suspended" } },
    { id: "one-factor", search: { status: "active", two_factor: "off" } },
  ],
  columns: [
    { field: "status", as: "status", width: 160, minWidth: 112 },
    { field: "name", width: 176, minWidth: 120, grow: 0.6 },
    { field: "email", width: 220, minWidth: 140, grow: 1 },
    { field: "group_names", width: 160, minWidth: 96, grow: 0.6 },
    { field: "direct", as: "count", width: 88 },
    { field: "two_factor", as: "choice", width: 96 },
    { field: "sessions", as: "count", width: 88 },
    { field: "last_login_at", as: "time", width: 156 },
    { field: "last_login_ip", as: "mono", width: 128 },
    { field: "created_at", as: "time", width: 156 },
    { field: "updated_at", as: "time", width: 156 },
  ],
  columnMap: userColumns,
  firstFilters: ["status", "two_factor"],
  sections: [
    {
      name: "invitation",
      applies: ({ row }) => row.invited_until !== null,
      lines: [{ field: "invited_until", as: "time" }],
      draw: InvitationSection,
    },
    {
      name: "identity",
      lines: ["email", { field: "groups", links: ({ groups }) => linksTo("user-groups", groups) }, { field: "direct", as: "count" }],
    },
    {
      name: "sign-in",
      applies: ({ row }) => row.invited_until === null,
      lines: [
        { field: "two_factor", as: "choice" },
        { field: "force_reset_password", as: "choice", value: ({ row }) => (row.force_reset_password ? "on" : "off") },
        { field: "last_login_at", as: "time" },
        { field: "last_login_ip", as: "mono" },
        { field: "elsewhere", as: "choice", value: ({ elsewhere }) => (elsewhere ? "on" : "off") },
      ],
      draw: SignInActs,
    },
    { name: "sessions", applies: ({ row }) => row.invited_until === null, draw: SessionsSection },
    { name: "rights", draw: UserRightsSection },
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
      { name: "identity", fields: ["name", "password"] },
      { name: "rights", fields: ["groups", "permissions"] },
    ],
    valuesOf: ({ name }) => ({ name: name ?? "", password: "" }),
  },
});
