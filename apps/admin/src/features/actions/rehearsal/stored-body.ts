import type { ActionSet, ActionSetBody } from '../action-queries.ts';

/** A set that is saved, in the way in which one that is not is sent. */
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
}: ActionSet): ActionSetBody {
  return {
    name,
    description,
    enabled,
    actorId,
    // What the server answers it takes; it may be newer than this page, and say what is wrong.
    match: match as ActionSetBody['match'],
    actions: actions.map(({ action, sortOrder, executionParams }) => ({ action, sortOrder, executionParams })),
    allow,
    guards: guards as ActionSetBody['guards'],
    shadow,
  };
}
