import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatDateTime, formatRelative, formatUtcDateTime } from './dates.ts';

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
  const moment = Date.parse(at);
  const time = (
    <time dateTime={at} onPointerEnter={() => setPointed(true)}>
      {formatRelative(moment, atLeast(now, moment))}
    </time>
  );
  // A table has a hundred of these, and few are ever pointed at.
  if (!pointed) return time;
  return (
    <Tooltip
      multiline
      maw={300}
      label={`${formatDateTime(moment)} (${formatUtcDateTime(moment)})`}
      events={{ hover: true, focus: true, touch: true }}
      defaultOpened
    >
      {time}
    </Tooltip>
  );
}
