/**
 * How a receiver shows messages that belong together. `updates`: as one message that is updated, with replies.
 * `alerts`: as the state of an alert, which each message sets. `digests`: not at all, so messages about one incident
 * are collected.
 */
export type ThreadKind = 'updates' | 'alerts' | 'digests';

/** Says in the description of a kind with digests how its messages about one incident are collected. */
export const digestsText =
  'Events of one incident are collected: a message at its beginning, a digest at most every five minutes, and a message at its end.';
