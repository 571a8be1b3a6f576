import type { ActionSetBody, StoredActionSet } from '../../../entities/actions/action-queries.ts';

/** Returns the request body of a saved set. */
export function bodyOfStored({
  name,
  description,
  enabled,
  actorId,
  match,
  actions,
  allow,
  guards,
  shadow,
}: StoredActionSet): ActionSetBody {
  return {
    name,
    description,
    enabled,
    actorId,
    // These types differ only when the server is newer than this page. The server accepts the values that it has sent.
    match: match as ActionSetBody['match'],
    actions: actions.map(({ action, sortOrder, executionParams }) => ({ action, sortOrder, executionParams })),
    allow,
    guards: guards as ActionSetBody['guards'],
    shadow,
  };
}
