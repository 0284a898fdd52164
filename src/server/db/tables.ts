import type { AccountTables } from "./tables/accounts.ts";
import type { AuditTables } from "./tables/audit.ts";
import type { BankLineTables } from "./tables/bank-lines.ts";
import type { GameProviderTables } from "./tables/game-provider.ts";
import type { LedgerTables } from "./tables/ledger.ts";
import type { PeopleTables } from "./tables/people.ts";
import type { TransactionTables } from "./tables/transactions.ts";
import type { VendorTables } from "./tables/vendors.ts";
import type { WorkTables } from "./tables/work.ts";

/** Every table, by area. Bigints are read as text. */
export interface Tables
  extends
    PeopleTables,
    AccountTables,
    VendorTables,
    BankLineTables,
    TransactionTables,
    LedgerTables,
    WorkTables,
    AuditTables,
    GameProviderTables {}
