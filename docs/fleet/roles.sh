#!/bin/sh
# The roles and the database of guard, once, as the server's own account: ADMIN_PASSWORD, AGENTS_PASSWORD and
# REPLICATOR_PASSWORD are in the environment. The server may listen on its socket only.
set -eu
: "${ADMIN_PASSWORD:?}" "${AGENTS_PASSWORD:?}" "${REPLICATOR_PASSWORD:?}"

# psql takes the passwords from its environment: they stand in no list of processes.
psql -v ON_ERROR_STOP=1 -q -d postgres <<'SQL'
\set admin_password `printf %s "$ADMIN_PASSWORD"`
\set agents_password `printf %s "$AGENTS_PASSWORD"`
\set replicator_password `printf %s "$REPLICATOR_PASSWORD"`
-- There is no standby yet that could acknowledge this.
SET synchronous_commit = local;
CREATE ROLE guard_admin LOGIN CREATEROLE PASSWORD :'admin_password';
CREATE ROLE agents LOGIN PASSWORD :'agents_password';
-- PostgreSQL 16 and newer: whoever admits a role, or may see standbys, needs that word beside CREATEROLE.
GRANT agents, pg_read_all_stats TO guard_admin WITH ADMIN OPTION;
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replicator_password';
CREATE DATABASE guard OWNER guard_admin;
REVOKE CONNECT, TEMPORARY ON DATABASE guard FROM PUBLIC;
GRANT CONNECT ON DATABASE guard TO agents;
-- Counts from the next start on: until then nothing waits for the standby.
ALTER SYSTEM SET synchronous_standby_names = 'standby';
SQL
