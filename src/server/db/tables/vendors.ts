import type { Generated } from "kysely";
import type { Attribute, AttributeValues } from "../../../contract/vendor-attributes.ts";
import type { Instant, Json } from "./columns.ts";

/** Vendors and what they supply. */
export interface VendorTables {
  vendors: {
    tenant_id: string;
    id: Generated<string>;
    company: string;
    remark: string | null;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
  vendor_categories: {
    tenant_id: string;
    id: Generated<string>;
    name: string;
    attributes: Json<Attribute[]>;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
  vendor_items: {
    tenant_id: string;
    id: Generated<string>;
    vendor_id: string;
    category_id: string;
    name: string;
    attributes: Json<AttributeValues>;
    version: Generated<number>;
    created_at: Instant;
    updated_at: Instant;
  };
}
