import type { Profile } from "../../../contract/session.ts";

/** Whether something must be done before the console opens (the server refuses everything else until then). */
export const isUnready = ({ force_reset_password, two_factor }: Profile): boolean =>
  force_reset_password || (two_factor.required && !two_factor.enabled);
