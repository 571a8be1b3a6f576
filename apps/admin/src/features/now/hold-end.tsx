import { formatEnd } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { Held } from './now-queries.ts';

/** Says until when a hold lasts, with a comma before it: ", until 05:12 (in 1 h 59 min)". */
export function HoldEnd({ hold: { expiresAt, onExpiry } }: { readonly hold: Pick<Held, 'expiresAt' | 'onExpiry'> }) {
  if (expiresAt === null) return ', until it is released';
  return (
    <>
      , until <RelativeTime at={expiresAt} format={formatEnd} />
      {onExpiry === 'keep' && ', then kept until a person releases it'}
    </>
  );
}
