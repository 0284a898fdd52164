/** Tenant settings that decide which keys a withdrawal takes. */
export interface TenantRules {
  /** Reasons on the digits of the reject sheet; the tenant's own ones have a text. */
  readonly reasons: readonly { readonly code: string; readonly text: string | null }[];
  /** Amount from which an approval is confirmed by Mod+Enter; null: none is. */
  readonly confirmFrom: string | null;
}
