#!/usr/bin/env bash
# A PostgreSQL of one's own for tests, from the binaries that are installed, in a directory that is thrown away.
#
#   eval "$(tests/postgres/cluster.sh start)"   # sets DATABASE_URL and TEST_POSTGRES_DIR
#   tests/postgres/cluster.sh stop              # stops it and deletes all it wrote
#
# A caller that must not lose track of it when interrupted makes the directory itself, empty, and sets TEST_POSTGRES_DIR.
# Between the two, `halt` and `resume` stop and start the server on the same port and data, to see how that is taken;
# `crash` stops it as a power cut would; `sql` runs what it reads from stdin as the superuser. `standby` starts an
# asynchronous standby of it in a directory of its own, which `promote` makes a primary.
# It listens on 127.0.0.1 alone, on a free port. Run as root it belongs to the system user postgres, since PostgreSQL
# refuses to run as root.
set -euo pipefail

fail() {
  echo "cluster.sh: $*" >&2
  exit 1
}

# The newest version that Debian's packages have installed, or else the one in PATH.
find_binaries() {
  local newest
  newest=$(find /usr/lib/postgresql -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1)
  newest=${newest:-$(command -v initdb || true)}
  [ -n "$newest" ] || fail 'PostgreSQL is not installed (on Debian: apt-get install postgresql)'
  dirname "$(realpath "$newest")"
}

as_owner() {
  if [ "$(id -u)" = 0 ]; then
    # The caller's directory may be closed to that user.
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

control() {
  as_owner "$binaries/pg_ctl" --silent -w -t 60 -D "$directory/data" -l "$directory/log" "$@" >&2
}

random_hex() {
  od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

delete() {
  if [ -f "$directory/data/postmaster.pid" ]; then control -m immediate stop || true; fi
  rm -rf "$directory"
}

create() {
  local locale=(--locale=C)
  # Sorted as a person sorts, which is how most servers out there are set up and unlike SQLite: what relies on the order
  # of bytes fails here. Before version 15 initdb cannot be asked for it.
  # Not grep -q: it stops reading, which pipefail takes for a failure now and then.
  if "$binaries/initdb" --help | grep -- --icu-locale >/dev/null; then
    locale=(--locale-provider=icu --icu-locale=en-US --locale=C.UTF-8)
  fi
  as_owner "$binaries/initdb" -D "$directory/data" --encoding=UTF8 "${locale[@]}" \
    --auth-local=peer --auth-host=scram-sha-256 >"$directory/log" 2>&1 || return 1
  # On unless the caller says otherwise, so that measurements are those of a real server. The suite turns it off: it cuts
  # no power, and a killed PostgreSQL loses nothing of what it wrote.
  as_owner tee -a "$directory/data/postgresql.conf" >/dev/null <<-SETTINGS
	listen_addresses = '127.0.0.1'
	unix_socket_directories = '$directory'
	max_connections = 200
	shared_buffers = 128MB
	fsync = ${TEST_POSTGRES_FSYNC:-on}
	SETTINGS
}

# A port cannot be reserved for another process, so try some until one is free.
start_on_free_port() {
  for _ in 1 2 3 4 5 6 7 8; do
    port=$((20000 + RANDOM % 12000))
    as_owner tee "$directory/data/postgresql.auto.conf" >/dev/null <<<"port = $port"
    if control start; then return 0; fi
    grep -q 'Address already in use' "$directory/log" || return 1
  done
  return 1
}

query() {
  as_owner "$binaries/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$directory" -p "$port" -d postgres
}

start() {
  local password
  password=$(random_hex)
  # One that was named but is gone was stopped earlier, in the same shell.
  if [ ! -d "$directory" ]; then directory=$(mktemp -d /tmp/yardarm-postgres-XXXXXX); fi
  [ -z "$(ls -A "$directory")" ] || fail "TEST_POSTGRES_DIR names $directory, which is in use: stop that cluster first"
  trap 'cat "$directory/log" >&2; delete' EXIT
  if [ "$(id -u)" = 0 ]; then chown postgres "$directory"; fi
  # Created by the owner, so that a caller with root's rights may write it as well.
  as_owner touch "$directory/log"
  create || fail 'initdb failed'
  start_on_free_port || fail 'PostgreSQL did not start'
  query <<<"CREATE ROLE yardarm LOGIN CREATEDB PASSWORD '$password'" || fail 'cannot create the role'
  query <<<'CREATE DATABASE yardarm OWNER yardarm' || fail 'cannot create the database'
  [ "$(query <<<"SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_trgm'")" = 1 ] ||
    fail 'the extension pg_trgm is missing (on Debian it is in the package postgresql, elsewhere in postgresql-contrib)'
  trap - EXIT
  echo "export DATABASE_URL=postgres://yardarm:$password@127.0.0.1:$port/yardarm"
  echo "export TEST_POSTGRES_DIR=$directory"
}

standby() {
  local primary=$directory primary_port
  primary_port=$(sed -n 4p "$directory/data/postmaster.pid")
  directory=$(mktemp -d /tmp/yardarm-postgres-XXXXXX)
  trap 'cat "$directory/log" >&2; delete' EXIT
  if [ "$(id -u)" = 0 ]; then chown postgres "$directory"; fi
  as_owner touch "$directory/log"
  as_owner "$binaries/pg_basebackup" -h "$primary" -p "$primary_port" -D "$directory/data" -X stream -c fast >&2 ||
    fail 'pg_basebackup failed'
  as_owner touch "$directory/data/standby.signal"
  as_owner tee -a "$directory/data/postgresql.conf" >/dev/null <<-SETTINGS
	unix_socket_directories = '$directory'
	primary_conninfo = 'host=$primary port=$primary_port'
	SETTINGS
  start_on_free_port || fail 'the standby did not start'
  trap - EXIT
  echo "export TEST_POSTGRES_PORT=$port"
  echo "export TEST_POSTGRES_DIR=$directory"
}

binaries=$(find_binaries)
directory=${TEST_POSTGRES_DIR:-}
# stop deletes it, so it must be one of ours.
if [ "${1:-}" != start ] || [ -n "$directory" ]; then
  [[ $directory =~ ^/(tmp|dev/shm)/yardarm-postgres-[^/]+$ ]] || fail 'TEST_POSTGRES_DIR does not name a cluster that this script started'
fi
case "${1:-}" in
  start) start ;;
  stop) delete ;;
  halt) control -m fast stop ;;
  crash) control -m immediate stop ;;
  resume) control start ;;
  standby) standby ;;
  promote) control promote ;;
  sql)
    port=$(sed -n 4p "$directory/data/postmaster.pid")
    query
    ;;
  *) fail 'say start, stop, halt, crash, resume, standby, promote or sql' ;;
esac
