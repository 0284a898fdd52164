-- The audit log is read newest first, and by the request an entry was written for.
create index audit_entries_at on audit_entries (tenant_id, at, id);
create index audit_entries_request on audit_entries (tenant_id, request_id) where request_id is not null;
