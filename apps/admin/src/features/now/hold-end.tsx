import { formatEnd } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { Held } from './now-queries.ts';

interface Props {
  readonly hold: Pick<Held, 'expiresAt' | 'onExpiry' | 'stepsDownAt'>;
}

/**
 * Says until when a hold lasts, with a comma before it, and when the flag is held further down: ", until 05:12 (in 1 h
 * 59 min)".
 */
export function HoldEnd({ hold }: Props) {
  return (
    <>
      <Until hold={hold} />
      {hold.stepsDownAt !== undefined && (
        <>
          , one milestone further down <RelativeTime at={hold.stepsDownAt} ahead format={formatEnd} /> if that does not
          help
        </>
      )}
    </>
  );
}

function Until({ hold: { expiresAt, onExpiry } }: Props) {
  if (expiresAt === null) return ', until it is released';
  // A hold ends within seconds of its time, unless a person stops automation.
  if (onExpiry === 'release' && Date.parse(expiresAt) < Date.now() - 60_000)
    return (
      <>
        , its end was <RelativeTime at={expiresAt} format={formatEnd} />: it stays while automation is stopped
      </>
    );
  return (
    <>
      , until <RelativeTime at={expiresAt} ahead format={formatEnd} />
      {onExpiry === 'keep' && ', then kept until a person releases it'}
    </>
  );
}
