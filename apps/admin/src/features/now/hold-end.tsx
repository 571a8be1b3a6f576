import { formatEnd } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { Held } from './now-queries.ts';

/** Says until when a hold lasts, with a comma before it: ", until 05:12 (in 1 h 59 min)". */
export function HoldEnd({ hold: { expiresAt, onExpiry } }: { readonly hold: Pick<Held, 'expiresAt' | 'onExpiry'> }) {
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
      , until <RelativeTime at={expiresAt} format={formatEnd} />
      {onExpiry === 'keep' && ', then kept until a person releases it'}
    </>
  );
}
