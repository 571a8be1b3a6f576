import { useQueries, useQuery } from '@tanstack/react-query';
import { reviewQuery } from '../../entities/change-requests/use-reviewed-change.ts';
import type { Held } from '../../entities/holds/now-queries.ts';
import { meQuery, useMay } from '../../lib/me.ts';

type PlacedHold = Pick<Held, 'project' | 'environment' | 'heldBy'>;

/** Returns a function that returns the permissions to release a hold; any one of them is enough. */
export function useReleasedWith(): (hold: Pick<Held, 'heldBy'>) => readonly string[] {
  const { data: me } = useQuery(meQuery);
  return ({ heldBy }) => {
    if (heldBy.kind !== 'person') return ['UPDATE_FEATURE_ENVIRONMENT', 'OVERRIDE_AUTOMATION'];
    const isOwn = heldBy.userId === me?.user.id;
    return isOwn ? ['UPDATE_FEATURE_ENVIRONMENT', 'LOWER_EXPOSURE'] : ['UPDATE_FEATURE_ENVIRONMENT'];
  };
}

/**
 * Returns a function that says whether the rules of review keep the user from releasing one of these holds: where
 * changes are reviewed, only the holder and users with SKIP_CHANGE_REQUEST may release a person's hold.
 */
export function useHolderAlone(holds: readonly PlacedHold[]): (hold: PlacedHold) => boolean {
  const may = useMay();
  const { data: me } = useQuery(meQuery);
  const isOfAnother = ({ heldBy }: PlacedHold) => heldBy.kind === 'person' && heldBy.userId !== me?.user.id;
  const projects = [...new Set(holds.filter(isOfAnother).map(({ project }) => project))];
  const reviews = useQueries({ queries: projects.map(reviewQuery) });
  return (hold) => {
    const rules = reviews[projects.indexOf(hold.project)]?.data ?? [];
    const isReviewed = rules.some((rule) => rule.changeRequestEnabled && rule.environment === hold.environment);
    return isReviewed && isOfAnother(hold) && !may('SKIP_CHANGE_REQUEST', hold);
  };
}

/** Returns who alone can release a hold, for a user who cannot. */
export function holderAloneText({ heldBy, environment }: PlacedHold): string {
  return `Review is required here. Only ${heldBy.name} and users with the permission SKIP_CHANGE_REQUEST in ${environment} can release this hold.`;
}
