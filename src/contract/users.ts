import { z } from "zod";
import { control, Linked } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { NewPassword } from "./session.ts";
import { Permissions } from "./user-groups.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1/users";
const itself = `${base}/{uuid}`;
const area = "cas.user.users";

/** The statuses a person can set. */
export const userStatuses = ["active", "inactive", "suspended"] as const;
/** Pending: invited and not accepted yet. Expired: the invitation is over, and can be sent again. */
export const shownUserStatuses = [...userStatuses, "pending", "expired"] as const;

/** A member of the tenant. Of one who has not accepted an invitation nothing is told but what the tenant itself has written. */
export const User = z.object({
  uuid: Uuid,
  version: Version,
  email: z.string(),
  /** null: not told before they accept. */
  name: z.string().nullable(),
  status: z.enum(shownUserStatuses),
  /** Names of their groups, comma separated. */
  group_names: z.string(),
  owner: z.boolean(),
  /** Number of direct permissions. */
  direct: z.int(),
  two_factor: z.enum(["on", "off"]),
  force_reset_password: z.boolean(),
  last_login_at: Instant.nullable(),
  last_login_ip: z.string().nullable(),
  /** Number of sessions by which they can work in this tenant. */
  sessions: z.int(),
  /** Until when the invitation can be accepted; null: there is none, or it was accepted. */
  invited_until: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type User = z.infer<typeof User>;

/** A group with what it gives. */
export const GroupRights = Linked.extend({ owner: z.boolean(), permissions: z.array(z.string()) });
export type GroupRights = z.infer<typeof GroupRights>;

const UserDetail = z.object({
  row: User,
  groups: z.array(GroupRights),
  /** The direct ones. */
  permissions: z.array(z.string()),
  /** Also a member of another tenant: their identity (name, password, two-factor) is not this tenant's to change. */
  elsewhere: z.boolean(),
  history: z.array(RecordEvent),
});
export type UserDetail = z.infer<typeof UserDetail>;

/** Text with one at sign, no spaces and a dot after it (specification, point 5), in the words of the look-up. */
const LookUpEmail = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "Invalid email")
  .meta(control("email"));

export const mostGroups = 50;
const Groups = z.array(Uuid).max(mostGroups).meta(control("references", "user-groups"));

/** A password left blank keeps the current one; so does a name. */
const UserEdit = z.strictObject({
  name: Name(120).optional(),
  password: NewPassword.optional(),
  groups: Groups,
  permissions: Permissions,
});
export type UserEdit = z.infer<typeof UserEdit>;

/**
 * How a new user gets in: a temporary password that the answer shows once, or that is mailed to them; or a mailed link by which they choose
 * their own, until when they are pending.
 */
export const deliveries = ["link", "mailed", "shown"] as const;
export type Delivery = (typeof deliveries)[number];

export const userColumns = defineColumns({
  email: { filter: "part", most: 254, sort: true, find: "part" },
  name: { filter: "part", most: 120, sort: true, find: "part" },
  status: { filter: "choices", of: shownUserStatuses, sort: true },
  group_names: { filter: "part", most: 60, sort: true },
  two_factor: { filter: "choices", of: ["on", "off"] },
  direct: { sort: true },
  sessions: { sort: true },
  last_login_at: { filter: "time", sort: true },
  last_login_ip: { filter: "part", most: 45 },
  created_at: { filter: "time", sort: true },
  updated_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

/** A live session of another person. */
export const OtherSession = z.object({
  uuid: Uuid,
  started_at: Instant,
  /** Its last token refresh, at most 15 minutes before its last use. */
  renewed_at: Instant,
  ip: z.string().nullable(),
  /** The User-Agent header of the sign-in. */
  agent: z.string().nullable(),
});
export type OtherSession = z.infer<typeof OtherSession>;

const params = z.strictObject({ uuid: Uuid });
const versioned = z.strictObject({ version: Version });
/** Why an act on a person is refused, whoever they are. */
const acts = ["user.oneself", "user.owner"] as const;

/**
 * Nobody gives or takes rights they do not hold themselves, nobody changes themselves here, and only owners act on owners. A change of rights
 * beyond one's own is refused at its field (422).
 */
export const userRoutes = defineRoutes({
  ...recordRoutes(base, area, {
    one: "User",
    many: "Users",
    columns: userColumns,
    row: User,
    detail: UserDetail,
  }),
  updateUser: {
    method: "PUT",
    path: itself,
    permission: `${area}.update`,
    params,
    body: UserEdit.extend({ version: Version }),
    answer: User,
    refuses: ["record.stale", ...acts, "user.elsewhere", "user.holds-more", "user.last-owner", "login.busy"],
  },
  /** Whoever is no longer active is out of this tenant at once, with all their sockets. */
  changeUserStatus: {
    method: "POST",
    path: `${itself}/status`,
    permission: `${area}.change-status`,
    params,
    body: z.strictObject({ version: Version, status: z.enum(userStatuses), reason: z.string().trim().max(500) }),
    answer: User,
    refuses: ["record.stale", ...acts, "user.pending", "user.holds-more", "user.last-owner"],
  },
  /** Takes a person out of the tenant, or an invitation back. Their identity, and the history of what they did here, stay. */
  deleteUser: {
    method: "DELETE",
    path: itself,
    permission: `${area}.delete`,
    params,
    query: z.strictObject({ version: z.coerce.number().pipe(Version) }),
    answer: z.object({}),
    refuses: ["record.stale", ...acts, "user.last-owner"],
  },
  /** Every group of the tenant with what it gives, for whoever puts people into groups. */
  listGroupRights: {
    method: "GET",
    path: `${base}/group-rights`,
    permission: `${area}.view`,
    answer: z.array(GroupRights),
  },
  /**
   * Whether an e-mail is somebody's. Each look-up is audited, and limited in number; known and unknown ones are answered in the same time.
   */
  lookUpUser: {
    method: "POST",
    path: `${base}/look-up`,
    permission: [`${area}.invite`, `${area}.create`],
    body: z.strictObject({ email: LookUpEmail }),
    answer: z.object({
      /** Somebody has it, here or in another tenant. */
      found: z.boolean(),
      /** Whoever has it is a member of this tenant already, or invited. */
      member: z.object({ uuid: Uuid, status: z.enum(shownUserStatuses) }).nullable(),
    }),
  },
  /** Invites somebody who has an account; they are pending until they accept by the mailed link, which is good for seven days. */
  inviteUser: {
    method: "POST",
    path: `${base}/invite`,
    permission: `${area}.invite`,
    stepUp: true,
    body: z.strictObject({ email: LookUpEmail, groups: Groups }),
    answer: User,
    refuses: ["user.not-found", "user.member"],
  },
  /** Makes an account for somebody who has none, and a member of them. */
  createUser: {
    method: "POST",
    path: base,
    permission: `${area}.create`,
    stepUp: true,
    body: z.strictObject({
      email: LookUpEmail,
      name: Name(120),
      groups: Groups,
      delivery: z.enum(deliveries).meta(control("choice")),
    }),
    answer: z.object({
      row: User,
      /** The temporary password, shown this once; null: it is mailed. */
      password: z.string().nullable(),
    }),
    refuses: ["user.known", "user.member", "login.busy"],
  },
  /** A new link; the one before is void. */
  resendInvitation: {
    method: "POST",
    path: `${itself}/invitation/resend`,
    permission: `${area}.invite`,
    params,
    body: versioned,
    answer: User,
    refuses: ["record.stale", "user.owner", "user.holds-more", "user.not-pending"],
  },
  withdrawInvitation: {
    method: "POST",
    path: `${itself}/invitation/withdraw`,
    permission: `${area}.invite`,
    params,
    body: versioned,
    answer: z.object({}),
    refuses: ["record.stale", "user.owner", "user.not-pending"],
  },
  /** They must choose a new password before they do anything else. */
  forcePasswordReset: {
    method: "POST",
    path: `${itself}/force-password-reset`,
    permission: `${area}.update`,
    stepUp: true,
    params,
    body: versioned,
    answer: User,
    refuses: ["record.stale", ...acts, "user.pending", "user.elsewhere"],
  },
  listUserSessions: {
    method: "GET",
    path: `${itself}/sessions`,
    permission: `${area}.view`,
    params,
    answer: z.object({
      /** The newest first. */
      sessions: z.array(OtherSession),
      /** What they did last in this tenant; null: nothing yet. */
      last_act: z.object({ act: z.string(), at: Instant }).nullable(),
    }),
  },
  /** Of a person who is also a member of another tenant it ends for this one. */
  endUserSession: {
    method: "DELETE",
    path: `${itself}/sessions/{session}`,
    permission: `${area}.change-status`,
    params: z.strictObject({ uuid: Uuid, session: Uuid }),
    answer: z.object({}),
    refuses: [...acts],
  },
  /** All of them. */
  endUserSessions: {
    method: "POST",
    path: `${itself}/sessions/end`,
    permission: `${area}.change-status`,
    params,
    answer: z.object({ ended: z.int() }),
    refuses: [...acts],
  },
});
