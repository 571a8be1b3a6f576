import { type AddressPolicy, type Resolve, resolveAddress } from '#features/platform/outbound/index.ts';
import { badField } from '#kernel/errors.ts';
import { findKind, withoutMaskedSecrets } from '../kinds/index.ts';
import type { NewAction } from './store.ts';

/** The policy for private addresses, and the DNS resolver. */
export interface Outbound {
  readonly addressPolicy: AddressPolicy;
  readonly resolve: Resolve;
}

/**
 * Throws a 400 that names the first action whose URL resolves to a forbidden private address. Must not be called in a
 * transaction, because it waits for DNS. Each call resolves the name again.
 */
export async function requireReachable(
  { addressPolicy, resolve }: Outbound,
  actions: readonly Pick<NewAction, 'action' | 'executionParams'>[],
  fieldOf: (index: number, parameter: string) => string = (index, parameter) =>
    `actions.${index}.executionParams.${parameter}`,
): Promise<void> {
  await Promise.all(
    actions.map(async ({ action, executionParams }, index) => {
      const outbound = findKind(action)?.outbound;
      const known = withoutMaskedSecrets(action, executionParams);
      // Validation of the set reports these errors.
      if (outbound === undefined || outbound.check(known) !== undefined) return;
      const url = outbound.urlOf(known);
      // A host without an address now may have one when the action runs.
      const address = await resolveAddress(new URL(url), addressPolicy, resolve).catch(() => undefined);
      if (address === 'private') throw badField(fieldOf(index, 'url'), 'must not resolve to a private address');
    }),
  );
}
