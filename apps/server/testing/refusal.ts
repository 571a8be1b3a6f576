import type { Reply } from './client.ts';

/** The words before an id, or before a number that depends on earlier tests. */
const beforeIds = [
  ...['account', 'delivery', 'endpoint', 'group', 'hold', 'incident', 'integration', 'request', 'role', 'run'],
  ...['segment', 'session', 'set', 'token', 'use', 'user', 'User', 'user:'],
  ...['event is', 'may use, not', 'request has'],
];
/** Generated names such as `flag-12`, ids and times, which differ between runs, and what stands for them. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '<ulid>'],
  [/\b20\d\d-\d\d-\d\d[T ][\d:.]+Z?/g, '<time>'],
  [/\b127\.0\.0\.1:\d+/g, '<address>'],
  [/\b([a-z]+)-\d+\b/g, '$1-<n>'],
  [new RegExp(`\\b(${beforeIds.join('|')}) \\d+\\b`, 'g'), '$1 <n>'],
];

/**
 * Returns why a request was refused, as recorded in snapshots: status, name, message, and the fields with their
 * messages, without what differs between runs.
 */
export function refusalOf({ status, json }: Reply): string {
  const { name, message, details = [] } = json;
  const fields = (details as readonly { path?: string; message: string }[]).map(
    (detail) => `  ${detail.path ?? '(no field)'}: ${detail.message}`,
  );
  return withoutChanging([`${status} ${name}: ${message}`, ...fields].map(printable).join('\n'));
}

/** Returns a text without what differs between runs. */
export function withoutChanging(text: string): string {
  return changing.reduce((part, [pattern, word]) => part.replaceAll(pattern, word), text);
}

/** Returns a text with escaped control characters: Git takes a file that contains them for binary. */
const printable = (text: string) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
