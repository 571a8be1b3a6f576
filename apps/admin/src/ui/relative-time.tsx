import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** How long before `now` a moment was, both in milliseconds, in words. */
export function ago(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const [unit, size] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
}

/** The server's clock may be a little ahead: what has just happened there is not to come. */
function atLeast(now: number, moment: number): number {
  return moment - now < 60_000 ? Math.max(now, moment) : now;
}

/** A moment (ISO 8601) as a person tells it, with the exact one when pointed at; it stays true while the page is open. */
export function RelativeTime({ at }: { readonly at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  const [pointed, setPointed] = useState(false);
  const moment = new Date(at);
  const time = (
    <time dateTime={at} onPointerEnter={() => setPointed(true)}>
      {ago(moment.getTime(), atLeast(now, moment.getTime()))}
    </time>
  );
  // A table has a hundred of these, and few are ever pointed at.
  if (!pointed) return time;
  return (
    <Tooltip
      multiline
      maw={300}
      label={`${exact.format(moment)} (${at})`}
      events={{ hover: true, focus: true, touch: true }}
      defaultOpened
    >
      {time}
    </Tooltip>
  );
}
