import { tellAtFailures } from "./instead.ts";

// read anew for each file, where what it calls may be shared by several
tellAtFailures();
