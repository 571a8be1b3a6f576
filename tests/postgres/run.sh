#!/usr/bin/env bash
# Runs the suite on PostgreSQL: on the one that DATABASE_URL names, or else on one of its own that is gone afterwards.
# Arguments go to vitest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ -z "${DATABASE_URL:-}" ]; then
  TEST_POSTGRES_DIR=$(mktemp -d /tmp/yardarm-postgres-XXXXXX)
  export TEST_POSTGRES_DIR
  trap 'tests/postgres/cluster.sh stop' EXIT
  # In two steps: eval would hide that the start failed.
  exports=$(TEST_POSTGRES_FSYNC=off tests/postgres/cluster.sh start)
  eval "$exports"
fi
npm test -- "$@"
