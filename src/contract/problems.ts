/**
 * Every refusal the server can give: code → HTTP status. Its text is `problem.<code>` in every language.
 * The envelope is {message, code, data?}; the server's message is the English text.
 */
export const problems = {
  // of every route
  "request.invalid": 422,
  "request.malformed": 400,
  "request.too-large": 413,
  "request.unsupported-media": 415,
  "request.too-many": 429,
  "request.idempotency-key-missing": 400,
  "request.idempotency-key-invalid": 400,
  "request.idempotency-mismatch": 422,
  "request.in-progress": 409,
  "request.busy": 503,
  /** For a row of a bulk act that was not begun before the answer was due. */
  "request.not-tried": 503,
  "session.missing": 401,
  "session.expired": 401,
  "session.ended": 401,
  "session.unbound": 401,
  "tenant.invalid": 403,
  "currency.invalid": 422,
  "permission.missing": 403,
  "not-found": 404,
  "server.failed": 500,
  "server.unavailable": 503,
  // signing in
  "login.refused": 401,
  "login.throttled": 429,
  "login.busy": 503,
  "refresh.refused": 401,
  "challenge.over": 401,
  "code.refused": 422,
  "password.wrong": 422,
  "reset.refused": 422,
  "step-up.required": 428,
  "password.must-change": 403,
  "two-factor.must-set-up": 403,
  "two-factor.not-begun": 409,
  "two-factor.off": 409,
  "two-factor.required": 409,
  "user.oneself": 409,
  "user.elsewhere": 409,
  // people of a tenant
  "user.not-found": 404,
  "user.known": 409,
  "user.member": 409,
  "user.pending": 409,
  "user.not-pending": 409,
  "user.owner": 409,
  "user.holds-more": 409,
  "user.last-owner": 409,
  "group.fixed": 409,
  "invitation.unknown": 404,
  "invitation.expired": 409,
  "invitation.withdrawn": 409,
  "invitation.replaced": 409,
  "invitation.accepted": 409,
  "invitation.other-user": 409,
  "invitation.sign-in": 409,
  // merchant API
  "signature.missing": 401,
  "signature.invalid": 401,
  "signature.milliseconds": 401,
  "signature.upper-case": 401,
  "signature.base64": 401,
  "signature.stale": 401,
  "signature.replayed": 401,
  "merchant.address-refused": 403,
  "merchant.inactive": 403,
  "merchant.number-taken": 409,
  "merchant.insufficient-balance": 422,
  "account.none-found": 422,
  "deposit.rate-limited": 422,
  // transactions
  "amount.not-positive": 422,
  "amount.too-precise": 422,
  "transaction.stale": 409,
  "transaction.already-decided": 409,
  "deposit.not-pending": 409,
  "deposit.not-process": 409,
  "deposit.not-expired": 409,
  "deposit.not-open": 409,
  "deposit.not-approved": 409,
  "deposit.claimed": 409,
  "deposit.not-claimed": 409,
  "deposit.claim-limit": 409,
  "deposit.none-free": 404,
  "deposit.check-failed": 422,
  "deposit.confirm-needed": 422,
  "deposit.second-needed": 409,
  "deposit.second-same-person": 409,
  "deposit.second-not-awaited": 409,
  "deposit.recall-closed": 409,
  "withdrawal.not-pending": 409,
  "withdrawal.not-process": 409,
  "withdrawal.not-open": 409,
  "withdrawal.not-approved": 409,
  "withdrawal.claimed": 409,
  "withdrawal.not-claimed": 409,
  "withdrawal.claim-limit": 409,
  "withdrawal.none-free": 404,
  "withdrawal.check-failed": 422,
  "withdrawal.confirm-needed": 422,
  "withdrawal.second-needed": 409,
  "withdrawal.second-same-person": 409,
  "withdrawal.second-not-awaited": 409,
  "withdrawal.recall-closed": 409,
  "payout.confirm-needed": 422,
  "withdrawal.reference-used": 409,
  "payout-file.rows": 422,
  "payout-file.exported-before": 409,
  "payout-file.unwritable": 422,
  "transaction.matched": 409,
  "bank-line.known": 409,
  "bank-line.not-unmatched": 409,
  "bank-line.not-matched": 409,
  "bank-line.not-ignored": 409,
  "bank-line.misfit": 422,
  "bank-line.sum": 422,
  "bank-line.only-proof": 409,
  "bank-file.refused": 422,
  "bank-import.not-staged": 409,
  "bank-import.unanswered": 409,
  "bank-import.ended": 409,
  "reason.missing": 422,
  "reason.unknown": 422,
  "payment-account.unfit": 422,
  "payment-account.over-limit": 422,
  "payment-account.insufficient": 422,
  "payment-account.open-items": 409,
  "transfer.below-minimum": 422,
  "transfer.confirm-needed": 422,
  "transfer.second-needed": 409,
  "transfer.second-same-person": 409,
  "transfer.second-not-awaited": 409,
  "transfer.recall-closed": 409,
  "transfer.balance-changed": 409,
  "pin.full": 409,
  "pin.not-shared": 409,
  "record.stale": 409,
  "record.in-use": 409,
  "credentials.none": 409,
  "export.too-many": 409,
  "export.not-failed": 409,
  "export.ended": 409,
  "export.open": 409,
  "export.not-done": 409,
  "downtime.not-active": 409,
  "provider.inactive": 403,
  "provider.maintenance": 503,
  "game-import.ended": 409,
  "game-import.begun": 409,
  "game-import.nothing": 409,
  "image.type": 415,
  "image.damaged": 422,
  "image.oversized": 422,
  "receipt.type": 415,
  "receipt.damaged": 422,
  "receipt.oversized": 422,
  "receipt.active": 422,
  "receipt.locked": 422,
  "receipt.known": 409,
  "receipt.limit": 409,
  "receipt.kept": 409,
  "receipt.unavailable": 503,
  "callback.none": 409,
  "callback.no-address": 409,
  "callback.replaced": 409,
  "realtime.refused": 403,
} as const;

export type ProblemCode = keyof typeof problems;

/** Codes any route may answer with. */
export const commonProblems = [
  "request.invalid",
  "amount.too-precise",
  "request.malformed",
  "request.too-large",
  "request.unsupported-media",
  "request.too-many",
  "not-found",
  "server.failed",
  "server.unavailable",
  "request.busy",
] as const satisfies readonly ProblemCode[];

/** Further codes of any route for signed-in users. */
export const staffProblems = [
  "request.idempotency-key-invalid",
  "request.not-tried",
  "session.missing",
  "session.expired",
  "session.ended",
  "session.unbound",
  "tenant.invalid",
  "currency.invalid",
  "permission.missing",
  "step-up.required",
  "password.must-change",
  "two-factor.must-set-up",
] as const satisfies readonly ProblemCode[];

/** Further codes of any signed route. */
export const signedProblems = [
  "request.idempotency-key-invalid",
  "signature.missing",
  "signature.invalid",
  "signature.milliseconds",
  "signature.upper-case",
  "signature.base64",
  "signature.stale",
  "signature.replayed",
] as const satisfies readonly ProblemCode[];

/** Further codes of any route of the merchant API. */
export const merchantProblems = [
  ...signedProblems,
  "merchant.address-refused",
  "merchant.inactive",
] as const satisfies readonly ProblemCode[];

/** Field → lines, as a 422 carries them. */
export type FieldLines = Record<string, string[]>;

export interface Problem {
  message: string;
  code: ProblemCode;
  data?: unknown;
}

/** A request refused by a rule. Any other error thrown on the server is a bug, answered 500 without detail. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly detail: Readonly<Record<string, unknown>> | undefined;
  /** `detail` is sent as `data`: field → lines for a 422; who was faster, when, and the current row for a lost race. */
  constructor(code: ProblemCode, detail?: Readonly<Record<string, unknown>>) {
    super(code);
    this.name = "Refusal";
    this.code = code;
    this.detail = detail;
  }
  get status(): number {
    return problems[this.code];
  }
}
