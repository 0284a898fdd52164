/** Tenants whose first steps the operator has put off: until the page is loaded anew, or they ask for them. */
const putOff = new Set<string>();

export const isPutOff = (tenant: string): boolean => putOff.has(tenant);

export function putOffSteps(tenant: string, off: boolean): void {
  if (off) putOff.add(tenant);
  else putOff.delete(tenant);
}
