import type { changeRequestRoutes } from '@yardarm/contract';
import { type ReviewPolicy, requireEnvironmentOf } from '#features/flags/change-control/index.ts';
import { type Account, accountsWithPermission, findAccounts } from '#features/people/access/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import { actionableOf, actionableRequests, maxListed } from './actionable.ts';
import { flagOf } from './change.ts';
import { presentRequest, presentRequests, presentSchedule } from './present.ts';
import { type ChangeRequest, openStates, type State, titleOf } from './request.ts';
import { requireRequest } from './require-request.ts';
import { countRequests, findRequests, type RequestFilter } from './search.ts';
import { loadRequests } from './store.ts';

type Table = typeof changeRequestRoutes;
type Readers = Pick<Handlers<Table>, Extract<keyof Table, `GET ${string}`>>;

export function changeRequestReaders({ db }: Database, policy: ReviewPolicy): Readers {
  const filterOf = async (caller: Identity, project: string, states?: readonly State[]): Promise<RequestFilter> => {
    await requireProject(db, project);
    return { caller: caller.actor, project, states };
  };
  const list = async (filter: RequestFilter) => ({
    body: await presentRequests(db, await findRequests(db, filter, { limit: maxListed })),
  });
  const openOf = async (caller: Identity, project: string, states: readonly State[] = openStates) =>
    loadRequests(db, await findRequests(db, await filterOf(caller, project, states), { limit: maxListed }));
  return {
    'GET /api/admin/projects/:projectId/change-requests': async ({ params, caller }) =>
      list(await filterOf(caller, params.projectId)),
    'GET /api/admin/projects/:projectId/change-requests/pending': async ({ params, caller }) =>
      list(await filterOf(caller, params.projectId, openStates)),
    'GET /api/admin/projects/:projectId/change-requests/pending/:featureName': async ({ params, caller }) =>
      list({ ...(await filterOf(caller, params.projectId, openStates)), featureName: params.featureName }),
    'GET /api/admin/projects/:projectId/change-requests/scheduled': async ({ params, caller }) => ({
      body: (await openOf(caller, params.projectId, ['Scheduled'])).flatMap(presentScheduled),
    }),
    'GET /api/admin/projects/:projectId/change-requests/actionable': async ({ params, caller }) => {
      const requests = await openOf(caller, params.projectId);
      const waiting = await actionableOf(db, caller, requests, policy);
      return { body: { total: waiting.length } };
    },
    'GET /api/admin/projects/:projectId/change-requests/count': async ({ params, caller }) => ({
      body: presentCounts(await countRequests(db, await filterOf(caller, params.projectId))),
    }),
    'GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment': async ({ params }) => {
      const { projectId: project, environment } = params;
      await requireEnvironmentOf(db, project, environment);
      const accounts = await accountsWithPermission(db, 'APPROVE_CHANGE_REQUEST', { project, environment });
      return { body: accounts.map(presentReviewer) };
    },
    'GET /api/admin/projects/:projectId/change-requests/:id': async ({ params, caller }) => {
      const { id } = await requireRequest(db, { project: params.projectId, id: params.id }, caller.actor);
      return { body: await presentRequest(db, id) };
    },
    'GET /api/admin/projects/:projectId/change-requests/:id/approvers': async ({ params, caller }) => {
      const request = await requireRequest(db, { project: params.projectId, id: params.id }, caller.actor);
      const accounts = await findAccounts(db, request.approvers);
      const body = accounts.map((account) => ({ ...presentReviewer(account), status: reviewBy(request, account.id) }));
      return { body };
    },
    'GET /api/admin/search/change-requests': async ({ query, caller }) => {
      const filter: RequestFilter = {
        caller: caller.actor,
        hidden: caller.hidden,
        states: query.state?.values as readonly State[] | undefined,
        createdBy: query.createdBy?.values.map(Number),
        approvers: query.requestedApproverId?.values.map(Number),
      };
      if (query.actionable === 'true') {
        const ids = (await actionableRequests(db, caller, filter, policy)).map(({ id }) => id);
        const page = ids.slice(query.offset, query.offset + query.limit);
        return { body: { changeRequests: await presentRequests(db, page), total: ids.length } };
      }
      const [found, counts] = await Promise.all([findRequests(db, filter, query), countRequests(db, filter)]);
      const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
      return { body: { changeRequests: await presentRequests(db, found), total } };
    },
  };
}

function presentCounts(counts: ReadonlyMap<State, number>) {
  const of = (state: State) => counts.get(state) ?? 0;
  const some = {
    approved: of('Approved'),
    applied: of('Applied'),
    rejected: of('Rejected'),
    cancelled: of('Cancelled'),
    reviewRequired: of('In review'),
    scheduled: of('Scheduled'),
  };
  return { total: Object.values(some).reduce((sum, n) => sum + n, 0), ...some };
}

function presentScheduled(request: ChangeRequest) {
  if (request.schedule === null) return [];
  const features = [...new Set(request.changes.flatMap(({ operation }) => flagOf(operation) ?? []))];
  const strategyIds = request.changes.flatMap(({ operation }) =>
    operation.action === 'updateStrategy' || operation.action === 'deleteStrategy' ? [operation.payload.id] : [],
  );
  const { id, environment, schedule } = request;
  return [{ id, title: titleOf(request), environment, features, strategyIds, schedule: presentSchedule(schedule) }];
}

function presentReviewer({ id, name, username, email }: Account) {
  return { id, name, username, email, imageUrl: '' };
}

function reviewBy({ reviews }: ChangeRequest, userId: number): 'pending' | 'approved' | 'rejected' {
  const review = reviews.find(({ by }) => by.userId === userId);
  if (review === undefined) return 'pending';
  return review.approved ? 'approved' : 'rejected';
}
