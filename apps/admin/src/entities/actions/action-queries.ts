import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Input } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ActionSet = Answer<'GET /api/admin/projects/:projectId/actions'>['actions'][number];
/** A set as the server stores it, without the fields that only the list of sets has. */
export type StoredActionSet = Omit<ActionSet, 'blocked' | 'actorName' | 'sourceName'>;
export type ActionSetBody = Input<'POST /api/admin/projects/:projectId/actions'>['body'];
export type ActionDefinitions = Answer<'GET /api/admin/projects/:projectId/actions/config'>;
export type ActionRun =
  Answer<'GET /api/admin/projects/:projectId/actions/:actionSetId/events'>['actionSetEvents'][number];

export const actionSetsQuery = (projectId: string) =>
  apiQuery('GET /api/admin/projects/:projectId/actions', { params: { projectId } }, ({ actions }) => actions);

/** The action kinds, with their parameters. */
export const definitionsQuery = (projectId: string) =>
  apiQuery('GET /api/admin/projects/:projectId/actions/config', { params: { projectId } });

export const serviceAccountsQuery = apiQuery(
  'GET /api/admin/service-account',
  {},
  ({ serviceAccounts }) => serviceAccounts,
);

export const maxListedActions = 1000;

/** The actions of all projects, with their last runs. */
export const allActionsQuery = apiQuery('GET /api/admin/actions', { query: { limit: String(maxListedActions) } });

export type MatchPreview = Answer<'POST /api/admin/signal-endpoints/:id/match-preview'>;
export type PreviewedFilters = NonNullable<Input<'POST /api/admin/signal-endpoints/:id/match-preview'>['body']>;

/** The signals of an endpoint in the last day that filters match. */
export const matchPreviewQuery = (id: number, body: PreviewedFilters) =>
  queryOptions({
    ...apiQuery('POST /api/admin/signal-endpoints/:id/match-preview', { params: { id }, body }),
    // A filter that is not complete is refused.
    retry: false,
  });

/** A signal by its id; null when there is none. */
export const signalQuery = (id: number) =>
  queryOptions({
    queryKey: ['GET /api/admin/signals', id],
    queryFn: async () => (await api('GET /api/admin/signals', { query: { id: `IS:${id}` } })).signals[0] ?? null,
  });

/** The 20 newest signals of an endpoint: the form suggests paths and values from their payloads. */
export const latestSignalsQuery = (signalEndpointId: number) =>
  queryOptions({
    queryKey: ['GET /api/admin/signal-endpoints/:signalEndpointId/signals', signalEndpointId, 'latest'],
    queryFn: async () => {
      const { signalEndpointSignals } = await api('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId },
        query: { limit: '20' },
      });
      return signalEndpointSignals;
    },
  });
