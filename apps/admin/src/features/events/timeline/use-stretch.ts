import { useDebouncedCallback, useInterval } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { type EventSearch, spans } from '../event-search.ts';
import type { Stretch } from './scale.ts';

/** So that what has just happened is not cut in half, as a share of the span. */
const roomAfterNow = 0.05;

interface Shown {
  readonly stretch: Stretch;
  /** Whether its end is now, whenever now is. */
  readonly live: boolean;
  /** Shows another stretch at once, and puts it into the address when it has come to rest. */
  readonly show: (stretch: Stretch) => void;
}

/** The stretch of time that the address names, the last day when it names none. */
export function useStretch(search: EventSearch, onChange: (part: EventSearch) => void): Shown {
  const { start, end, span = '1d' } = search;
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 5_000, { autoInvoke: true });
  const [moved, setMoved] = useState<Stretch>();
  const rest = useDebouncedCallback((stretch: Stretch) => {
    onChange({ start: Math.round(stretch.start), end: Math.round(stretch.end), span: undefined });
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
    stretch: moved ?? named,
    live: moved === undefined && !fixed,
    show: (stretch) => {
      setMoved(stretch);
      rest(stretch);
    },
  };
}
