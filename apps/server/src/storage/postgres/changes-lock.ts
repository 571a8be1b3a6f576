/**
 * Returns the statement that takes the lock of changes until the transaction ends. The lock serializes the changes and
 * migrations of all processes on a schema.
 */
export function changesLock(schema: string): string {
  return `select pg_advisory_xact_lock(7235, hashtext('${schema.replaceAll("'", "''")}'))`;
}
