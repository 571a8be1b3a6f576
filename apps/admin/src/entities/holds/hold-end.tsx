import { serverNow } from '../../lib/server-time.ts';
import { formatEnd } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { endOfHold } from './hold-words.ts';
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

function Until({ hold }: Props) {
  const { expiresAt } = hold;
  const ending = endOfHold(hold, serverNow());
  if (expiresAt === null || ending === 'by a person') return ', until it is released';
  if (ending === 'over')
    return (
      <>
        , its end was <RelativeTime at={expiresAt} format={formatEnd} />: it stays while automation is stopped
      </>
    );
  return (
    <>
      , until <RelativeTime at={expiresAt} ahead format={formatEnd} />
      {ending === 'then kept' && ', then kept until a person releases it'}
    </>
  );
}
