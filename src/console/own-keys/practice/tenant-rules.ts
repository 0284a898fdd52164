/** What of a tenant's settings decides which keys a withdrawal takes. */
export interface TenantRules {
  /** On the digits of the reject sheet; one of the tenant's own has a text. */
  readonly reasons: readonly { readonly code: string; readonly text: string | null }[];
  /** From this amount of the currency an approval is confirmed by Mod+Enter; null: none is. */
  readonly confirmFrom: string | null;
}
