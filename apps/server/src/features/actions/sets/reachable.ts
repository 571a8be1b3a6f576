import { badField } from '../../../kernel/errors.ts';
import { addressOf, type Reach, type Resolve } from '../../outbound/index.ts';
import { findKind, withoutHidden } from '../kinds/index.ts';
import type { NewAction } from './store.ts';

/** What may be called, and how hosts are looked up. */
export interface Outbound {
  readonly reach: Reach;
  readonly resolve: Resolve;
}

/**
 * A 400 that names the first action which would call a private address that may not be called. It asks the name service, so no change may
 * wait for it; what a name means is asked again at each call.
 */
export async function requireReachable(
  { reach, resolve }: Outbound,
  actions: readonly Pick<NewAction, 'action' | 'executionParams'>[],
  fieldOf: (index: number, parameter: string) => string = (index, parameter) =>
    `actions.${index}.executionParams.${parameter}`,
): Promise<void> {
  await Promise.all(
    actions.map(async ({ action, executionParams }, index) => {
      const outbound = findKind(action)?.outbound;
      const known = withoutHidden(action, executionParams);
      // What is wrong in itself is told when the set is checked.
      if (outbound === undefined || outbound.check(known) !== undefined) return;
      const url = outbound.urlOf(known);
      // A host that has no address now may have one when there is something to call.
      const address = await addressOf(new URL(url), reach, resolve).catch(() => undefined);
      if (address === 'private') throw badField(fieldOf(index, 'url'), 'must not lead to a private address');
    }),
  );
}
