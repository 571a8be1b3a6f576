import { reasonOf } from '../lib/me.ts';
import { Muted } from './text.tsx';

/** The permission to read the payloads of signals. */
export const payloadPermission = 'READ_SIGNALS';

/**
 * Says, in place of the payload of a signal or of results computed from it, that the user lacks the permission to see
 * them.
 */
export function HiddenPayload({ children = 'The payload is hidden.' }: { readonly children?: string }) {
  return (
    <Muted>
      {children} {reasonOf(payloadPermission)}
    </Muted>
  );
}
