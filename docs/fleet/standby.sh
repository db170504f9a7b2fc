#!/bin/sh
# A standby of the primary at PRIMARY_HOST, in PGDATA: copied once, then it follows. REPLICATOR_PASSWORD is in the environment;
# what is given to this script is started in the end: `standby.sh postgres -c …`.
set -eu
: "${PGDATA:?}" "${PRIMARY_HOST:?}" "${REPLICATOR_PASSWORD:?}"

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD="$REPLICATOR_PASSWORD"
  export PGPASSWORD
  to="host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replicator application_name=standby"
  to="$to sslmode=verify-full sslrootcert=${ROOT_CERT:-/etc/guard/tls/ca.crt}"
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  # The primary may begin later. The slot is made on the first day, and is there when the standby is made anew.
  until pg_basebackup -d "$to" -D "$PGDATA" -R -X stream -C -S standby ||
    pg_basebackup -d "$to" -D "$PGDATA" -R -X stream -S standby; do
    sleep 1
  done
fi
exec "$@"
