import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useFlagsChanged } from '../flags/flag-queries.ts';
import { askForChanges, type Change, type FlagChange, type FlagPlace, makeChange } from './change.ts';

/** In which environments of a project changes are reviewed. */
const reviewQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['GET /api/admin/projects/:projectId/change-requests/config', projectId],
    queryFn: () => api('GET /api/admin/projects/:projectId/change-requests/config', { params: { projectId } }),
    staleTime: 60_000,
  });

/** Where a change is felt: in an environment of a project, or without one in all of them. */
export interface ReviewPlace {
  readonly projectId: string;
  readonly environment?: string | undefined;
}

/** How changes are made directly where they are reviewed: by skipping review, with a reason, or not at all. */
export type DirectChanges = 'skip' | 'break-glass' | 'refused';

export interface Review {
  readonly reviewed: boolean;
  /** How one may make the change all the same. */
  readonly direct: DirectChanges;
  /** The environment that a change is asked for in, once that is known; undefined where nobody reviews. */
  readonly findWhere: () => Promise<string | undefined>;
}

/** Whether changes are reviewed before they are made: what is felt everywhere is where any environment's are; nothing is without a project. */
export function useReview({ projectId, environment }: Partial<ReviewPlace>): Review {
  const queries = useQueryClient();
  const { data = [] } = useQuery({ ...reviewQuery(projectId ?? ''), enabled: projectId !== undefined });
  const felt = (all: typeof data) =>
    all.filter((one) => one.changeRequestEnabled && (environment === undefined || one.environment === environment));
  return {
    reviewed: felt(data).length > 0,
    direct: directIn(felt(data)),
    findWhere: async () =>
      projectId === undefined ? undefined : felt(await queries.ensureQueryData(reviewQuery(projectId)))[0]?.environment,
  };
}

/** How a change is made directly that is felt in all of these environments. */
function directIn(felt: readonly { readonly directChanges: DirectChanges | 'open' }[]): DirectChanges {
  const hardest = (['refused', 'break-glass'] as const).find((way) => felt.some((one) => one.directChanges === way));
  return hardest ?? 'skip';
}

/** Where changes of a segment of all projects are reviewed; nothing is asked without an id. */
export function useSegmentReview(id: number | undefined) {
  const { data } = useQuery({
    queryKey: ['GET /api/admin/segments/:id/change-requests/config', id],
    queryFn: () => api('GET /api/admin/segments/:id/change-requests/config', { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
  });
  const [use] = data?.environments ?? [];
  return {
    reviewed: data?.changeRequestEnabled === true,
    direct: directIn(data === undefined ? [] : [data]),
    /** Where to ask for the change; undefined when only hidden projects review it. */
    place: use === undefined ? undefined : { projectId: use.project, environment: use.environment },
  };
}

interface Asked<C> {
  readonly change: C;
  /** Made at once, although changes are reviewed. */
  readonly directly?: boolean;
}

interface Ways<C> {
  readonly make: (change: C) => Promise<unknown>;
  /** The same as a change request names it. */
  readonly ask: (change: C) => readonly Change[];
  /** Told, before anything is read anew, whether it was made at once. */
  readonly onDone?: (made: boolean) => void;
}

/**
 * Makes a change that may have to be reviewed: then it joins one's draft of a change request, of which a notice tells,
 * unless it is to be made directly. Resolves to whether it was made at once.
 */
export function useReviewedChange<C>(place: ReviewPlace, { make, ask, onDone }: Ways<C>) {
  const changed = useFlagsChanged();
  const queries = useQueryClient();
  const { reviewed, findWhere } = useReview(place);
  const mutation = useMutation({
    mutationFn: async ({ change, directly = false }: Asked<C>): Promise<boolean> => {
      const askIn = directly ? undefined : await findWhere();
      if (askIn === undefined) {
        await make(change);
        return true;
      }
      const id = await askForChanges({ projectId: place.projectId, environment: askIn }, ask(change));
      tellAsked(id, place.environment);
      return false;
    },
    onSuccess: (made) => onDone?.(made),
    // Review may have begun since it was looked for: then what was refused can be asked for.
    onError: () => queries.invalidateQueries({ queryKey: reviewQuery(place.projectId).queryKey }),
    onSettled: changed,
  });
  return { ...mutation, reviewed, findWhere };
}

/** Says that changes have joined a draft. */
export function tellAsked(id: number, environment = 'any environment'): void {
  notifications.show({
    title: `Added to your draft, change request #${id}`,
    message: `Nothing has changed in ${environment} yet. Send the draft to review on its page, under Change requests.`,
  });
}

/** {@link useReviewedChange} for one flag in one environment. */
export function useFlagChange(place: FlagPlace) {
  return useReviewedChange<FlagChange>(place, {
    make: (change) => makeChange(place, change),
    ask: (change) => [change],
  });
}
