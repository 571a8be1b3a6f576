import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api-query.ts';
import type { ReasonFieldProps } from '../change-reasons/reason-field.tsx';
import { useFlagsChanged } from '../flags/flag-queries.ts';
import { type Change, type FlagChange, type FlagPlace, makeChange, requestChanges } from './change.ts';

/** The review settings of a project, by environment. */
export const reviewQuery = (projectId: string) =>
  queryOptions({
    ...apiQuery('GET /api/admin/projects/:projectId/change-requests/config', { params: { projectId } }),
    staleTime: 60_000,
  });

/** The scope of a change: an environment of a project, or all its environments when `environment` is undefined. */
export interface ReviewPlace {
  readonly projectId: string;
  readonly environment?: string | undefined;
}

/** How a change can be made without review: freely, with a break-glass reason, or not at all. */
export type DirectChanges = 'skip' | 'break-glass' | 'refused';

export interface Review {
  /** Also false until the settings are loaded. */
  readonly reviewed: boolean;
  /** Whether the settings are being loaded. */
  readonly loading: boolean;
  /** How the user may make the change without review. */
  readonly direct: DirectChanges;
  /** Returns the first environment that requires review; undefined when none does. */
  readonly findWhere: () => Promise<string | undefined>;
}

/**
 * Returns whether a change needs review. A change in all environments needs review if one of them requires it. Without
 * a project no change needs review.
 */
export function useReview({ projectId, environment }: Partial<ReviewPlace>): Review {
  const queries = useQueryClient();
  const { data = [], isLoading } = useQuery({ ...reviewQuery(projectId ?? ''), enabled: projectId !== undefined });
  const affected = (all: typeof data) =>
    all.filter((rule) => rule.changeRequestEnabled && (environment === undefined || rule.environment === environment));
  return {
    reviewed: affected(data).length > 0,
    loading: isLoading,
    direct: directIn(affected(data)),
    findWhere: async () =>
      projectId === undefined
        ? undefined
        : affected(await queries.ensureQueryData(reviewQuery(projectId)))[0]?.environment,
  };
}

/** Returns the strictest rule of the affected environments. */
function directIn(affectedEnvironments: readonly { readonly directChanges: DirectChanges | 'open' }[]): DirectChanges {
  const strictest = (['refused', 'break-glass'] as const).find((way) =>
    affectedEnvironments.some((rule) => rule.directChanges === way),
  );
  return strictest ?? 'skip';
}

/** Returns whether changes of a segment that belongs to all projects need review. Without an id, sends no request. */
export function useSegmentReview(id: number | undefined) {
  const { data, isLoading } = useQuery({
    ...apiQuery('GET /api/admin/segments/:id/change-requests/config', { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
  });
  const [use] = data?.environments ?? [];
  return {
    reviewed: data?.changeRequestEnabled === true,
    loading: isLoading,
    direct: directIn(data === undefined ? [] : [data]),
    /** Where to request the change; undefined when only projects that the user cannot see require review. */
    place: use === undefined ? undefined : { projectId: use.project, environment: use.environment },
  };
}

interface ChangeInput<C> {
  readonly change: C;
  /** Whether to skip the review. */
  readonly directly?: boolean;
  /** The reason that the caller asked for; by default the text of `reasonField`. */
  readonly reason?: string | undefined;
}

interface ChangeCalls<C> {
  readonly make: (change: C, reason: string) => Promise<unknown>;
  /** Returns the change in the format that change requests store. */
  readonly ask: (change: C) => readonly Change[];
  /** Called before cached answers are invalidated; `made` is false when the change was requested instead. */
  readonly onDone?: (made: boolean) => void;
}

/**
 * Makes a change, or adds it to the user's draft change request where review is required. Resolves to true when the
 * change was made, and to false when it was requested.
 */
export function useReviewedChange<C>(place: ReviewPlace, { make, ask, onDone }: ChangeCalls<C>) {
  const changed = useFlagsChanged();
  const queries = useQueryClient();
  const { reviewed, findWhere } = useReview(place);
  const [reason, setReason] = useState('');
  const mutation = useMutation({
    mutationFn: async ({ change, directly = false, reason: given }: ChangeInput<C>): Promise<boolean> => {
      const askIn = directly ? undefined : await findWhere();
      if (askIn === undefined) {
        await make(change, given ?? reason);
        return true;
      }
      const id = await requestChanges({ projectId: place.projectId, environment: askIn }, ask(change));
      notifyAddedToDraft(id, place.environment);
      return false;
    },
    onSuccess: (made) => onDone?.(made),
    // Review may have been turned on since the rules were loaded: with fresh rules the user can request the refused
    // change.
    onError: () => queries.invalidateQueries({ queryKey: reviewQuery(place.projectId).queryKey }),
    onSettled: changed,
  });
  // Where review is required there is no field: the change request has the reason.
  const reasonField: ReasonFieldProps | undefined = reviewed
    ? undefined
    : { projectId: place.projectId, value: reason, onChange: setReason };
  return { ...mutation, reviewed, findWhere, reasonField };
}

/** Notifies the user that changes were added to a draft. */
export function notifyAddedToDraft(id: number, environment = 'any environment'): void {
  notifications.show({
    title: `Added to your draft, change request #${id}`,
    message: `Nothing has changed in ${environment} yet. Submit the draft for review on its page, under Change requests.`,
  });
}

/** {@link useReviewedChange} for one flag in one environment. */
export function useFlagChange(place: FlagPlace) {
  return useReviewedChange<FlagChange>(place, {
    make: (change, reason) => makeChange(place, change, reason),
    ask: (change) => [change],
  });
}
