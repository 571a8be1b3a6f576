/**
 * Returns a random session id, for all evaluations of one request whose context has none: the request is one user, so a
 * flag and its parent, and flags of one group, agree (docs/spec#frontend-api).
 */
export function randomSessionId(random: () => number): string {
  return String(Math.floor(random() * 1_000_000_000));
}
