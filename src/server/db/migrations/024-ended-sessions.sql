-- Why a session ended before its time, in one of a few words, by whom and from where, so that whoever comes back to it is told.
update sessions set ended_why = case ended_why
  when 'password changed' then 'password-changed'
  when 'password reset' then 'password-reset'
  when 'two-factor reset' then 'two-factor-reset'
  when 'refresh token used twice' then 'token-reused'
  else 'signed-out' end
where ended_why is not null;

alter table sessions
  add column ended_by uuid references users,
  add column ended_ip text,
  add column ended_agent text,
  add check (ended_why in ('signed-out', 'password-changed', 'password-reset', 'two-factor-reset', 'token-reused'));
