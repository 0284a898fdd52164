import { reportFailures } from "./instead.ts";

// runs for each file, because the module it calls may be shared by several
reportFailures();
