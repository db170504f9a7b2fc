/**
 * Version 1: tables. Only `guard_owner` has rights on them; agents have functions. Those run as the owner, on whom
 * row-level security is forced as well: a statement that forgets its repository finds nothing from another one.
 * `guard.repo` is set by `guard.enter` after it has checked who logged in; a session that sets it itself gains access
 * to no table.
 */
export const TABLES = `
CREATE TABLE guard.repository (
  repo int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  epoch text NOT NULL,
  epoch_lsn bigint NOT NULL,
  epoch_ms bigint NOT NULL,
  closed_ms bigint NOT NULL DEFAULT 0,
  keep_ms bigint NOT NULL DEFAULT 2592000000,
  salt bigint NOT NULL,
  numbers regclass NOT NULL,
  followed_ms bigint NOT NULL DEFAULT 0
);
CREATE TABLE guard.member (
  role name,
  repo int REFERENCES guard.repository,
  PRIMARY KEY (role, repo)
);
CREATE TABLE guard.state (
  repo int,
  key bytea,
  ver bigint NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (repo, key)
) WITH (fillfactor = 70);
CREATE TABLE guard.log (
  repo int,
  lsn bigint,
  xid xid8 NOT NULL,
  at_ms bigint NOT NULL,
  ts_ms bigint NOT NULL,
  more int NOT NULL,
  nonce uuid NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (repo, lsn)
);
CREATE INDEX log_by_xid ON guard.log (repo, xid, lsn);
CREATE TABLE guard.known (
  repo int,
  agent bytea,
  id bytea,
  lsn bigint NOT NULL,
  PRIMARY KEY (repo, agent, id)
);

ALTER TABLE guard.repository ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE guard.member ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE guard.state ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE guard.log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE guard.known ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON guard.member USING (role = session_user OR pg_has_role(session_user, 'guard_owner', 'MEMBER'));
-- By one key, and before roles are asked after: every look and every commit begins with this.
CREATE POLICY own ON guard.repository USING (EXISTS (SELECT FROM guard.member m WHERE m.role = session_user AND m.repo = repository.repo)
  OR pg_has_role(session_user, 'guard_owner', 'MEMBER'));
CREATE POLICY own ON guard.state USING (repo = nullif(current_setting('guard.repo', true), '')::int);
CREATE POLICY own ON guard.log USING (repo = nullif(current_setting('guard.repo', true), '')::int);
CREATE POLICY own ON guard.known USING (repo = nullif(current_setting('guard.repo', true), '')::int);
`;
