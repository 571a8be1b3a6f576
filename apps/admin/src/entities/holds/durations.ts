import { serverNow } from '../../lib/server-time.ts';

const hourMs = 3_600_000;

/** The durations that a hold or an override can have. The values are hours as text. */
export const durations = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '168', label: '1 week' },
];

/** Returns the end of a duration that begins now, as ISO 8601; null for an empty text, which means no end. */
export function endOf(hours: string): string | null {
  return hours === '' ? null : new Date(serverNow() + Number(hours) * hourMs).toISOString();
}
