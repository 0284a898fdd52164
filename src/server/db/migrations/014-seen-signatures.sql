-- A signature seen stays seen: an unlogged table is emptied by a crash, and what was sent before it could be sent again.
alter table seen_signatures set logged;
