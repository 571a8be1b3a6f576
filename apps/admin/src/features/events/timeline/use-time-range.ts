import { useDebouncedCallback, useInterval } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { type EventSearch, spans } from '../../../entities/events/event-search.ts';
import { serverNow } from '../../../lib/server-time.ts';
import type { TimeRange } from './scale.ts';

/** The empty part of the axis after now, as a share of the span, so that the newest items are not cut off. */
const roomAfterNow = 0.05;

interface Shown {
  readonly range: TimeRange;
  /** Whether the range ends now and moves with time. */
  readonly live: boolean;
  /** Shows another range at once, and stores it in the address when the range has not changed for a moment. */
  readonly show: (range: TimeRange) => void;
}

/** Returns the time range in the address; the last day by default. */
export function useTimeRange(search: EventSearch, onChange: (part: EventSearch) => void): Shown {
  const { start, end, span = '1d' } = search;
  const [now, setNow] = useState(() => serverNow());
  useInterval(() => setNow(serverNow()), 5_000, { autoInvoke: true });
  const [moved, setMoved] = useState<TimeRange>();
  const rest = useDebouncedCallback((range: TimeRange) => {
    onChange({ start: Math.round(range.start), end: Math.round(range.end), span: undefined });
  }, 250);
  const address = `${start} ${end} ${span}`;
  const shownAddress = useRef(address);
  useEffect(() => {
    if (shownAddress.current !== address) setMoved(undefined);
    shownAddress.current = address;
  }, [address]);
  const fixed = start !== undefined && end !== undefined;
  const named = fixed ? { start, end } : { start: now - spans[span], end: now + spans[span] * roomAfterNow };
  return {
    range: moved ?? named,
    live: moved === undefined && !fixed,
    show: (range) => {
      setMoved(range);
      rest(range);
    },
  };
}
