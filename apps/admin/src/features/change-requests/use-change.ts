import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { useFlagsChanged } from '../flags/flag-queries.ts';
import { askForChange, type FlagChange, type FlagPlace, makeChange } from './change.ts';

/** In which environments of a project changes are reviewed. */
const reviewQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['GET /api/admin/projects/:projectId/change-requests/config', projectId],
    queryFn: () => api('GET /api/admin/projects/:projectId/change-requests/config', { params: { projectId } }),
    staleTime: 60_000,
  });

/** Whether changes in an environment are reviewed before they are made, and whether one may make them all the same. */
export function useReview({ projectId, environment }: FlagPlace): {
  readonly reviewed: boolean;
  readonly maySkip: boolean;
} {
  const { data } = useQuery(reviewQuery(projectId));
  const may = useMay();
  return {
    reviewed: data?.some((one) => one.environment === environment && one.changeRequestEnabled) === true,
    maySkip: may('SKIP_CHANGE_REQUEST', { project: projectId, environment }),
  };
}

interface Asked {
  readonly change: FlagChange;
  /** Made at once, although changes are reviewed. */
  readonly directly?: boolean;
}

/**
 * Changes flags in an environment. Where changes are reviewed, a change joins one's draft of a change request, of which
 * a notice tells, unless it is to be made directly. Resolves to whether it was made at once.
 */
export function useFlagChange(place: FlagPlace) {
  const changed = useFlagsChanged();
  const { reviewed } = useReview(place);
  const mutation = useMutation({
    mutationFn: async ({ change, directly = false }: Asked): Promise<boolean> => {
      if (!reviewed || directly) {
        await makeChange(place, change);
        return true;
      }
      const id = await askForChange(place, change);
      notifications.show({
        title: `Added to your draft, change request #${id}`,
        message: `Nothing has changed in ${place.environment} yet. Send the draft to review on the flag's page.`,
      });
      return false;
    },
    onSettled: changed,
  });
  return { ...mutation, reviewed };
}
