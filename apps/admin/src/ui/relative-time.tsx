import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { serverNow } from '../lib/server-time.ts';
import { formatAhead, formatDateTime, formatRelative, formatUtcDateTime } from './dates.ts';

/**
 * Returns `now`, or `moment` when it is less than a minute later: the clock of the server may be ahead of that of the
 * browser.
 */
function atLeast(now: number, moment: number): number {
  return moment - now < 60_000 ? Math.max(now, moment) : now;
}

interface Props {
  /** A time in ISO 8601. */
  readonly at: string;
  /** Returns the text; by default the time relative to now. */
  readonly format?: (at: number, now: number) => string;
  /** Whether the time is that of something to come. */
  readonly ahead?: boolean;
}

/** Shows a time relative to now, with the exact time as a tooltip. The text is updated while the page is open. */
export function RelativeTime({ at, ahead = false, format = ahead ? formatAhead : formatRelative }: Props) {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 15_000);
    return () => clearInterval(timer);
  }, []);
  const [pointed, setPointed] = useState(false);
  const moment = Date.parse(at);
  const time = (
    <time dateTime={at} onPointerEnter={() => setPointed(true)}>
      {format(moment, ahead ? now : atLeast(now, moment))}
    </time>
  );
  // The tooltip is mounted on hover only, because a table can have a hundred of these times.
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
