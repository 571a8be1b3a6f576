import type { changeRequestRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import type { ChangeLimits } from './apply.ts';
import { dryRun } from './apply.ts';
import * as drafts from './draft-commands.ts';
import { changeRequestReaders } from './list-routes.ts';
import { presentRequest } from './present.ts';
import { requireOwn } from './require-request.ts';
import { addComment, changeState, setApprovers } from './state-commands.ts';

/** `onReview` is called with the id of each change request that was sent to review. */
export function changeRequestHandlers(
  database: Database,
  limits: ChangeLimits,
  onReview: (id: number) => void,
): Handlers<typeof changeRequestRoutes> {
  const { db, write } = database;
  return {
    ...changeRequestReaders(database, limits.review),
    'POST /api/admin/projects/:projectId/environments/:environment/change-requests': async ({
      params,
      body,
      author,
    }) => {
      const place = { project: params.projectId, environment: params.environment };
      const operations = Array.isArray(body) ? body : [body];
      await dryRun(write, author, (tx) => drafts.validateChanges(tx, limits, place, operations));
      const id = await write(author, (tx) => drafts.addChanges(tx, place, operations));
      return { body: await presentRequest(db, id) };
    },
    'PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId': async ({
      params,
      body,
      author,
    }) => {
      const ref = { project: params.projectId, id: params.changeRequestId };
      await dryRun(write, author, async (tx) => {
        const own = await requireOwn(tx.db, ref, tx.by.actor);
        drafts.requireSameChange(own, params.changeId, body);
        await drafts.validateChanges(tx, limits, own, [body]);
      });
      await write(author, (tx) => drafts.editChange(tx, ref, params.changeId, body));
      return { body: await presentRequest(db, ref.id) };
    },
    'DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId': async ({
      params,
      author,
    }) => {
      const ref = { project: params.projectId, id: params.changeRequestId };
      await write(author, (tx) => drafts.discardChange(tx, ref, params.changeId));
    },
    'DELETE /api/admin/projects/:projectId/change-requests/:id': async ({ params, author }) =>
      write(author, (tx) => drafts.discardRequest(tx, refOf(params))),
    'PUT /api/admin/projects/:projectId/change-requests/:id/state': async ({ params, body, author }) => {
      await write(author, (tx) => changeState(tx, limits, refOf(params), body));
      if (body.state === 'In review') onReview(params.id);
      return { body: await presentRequest(db, params.id) };
    },
    'PUT /api/admin/projects/:projectId/change-requests/:id/title': async ({ params, body, author }) =>
      write(author, (tx) => drafts.setTitle(tx, refOf(params), body.title)),
    'POST /api/admin/projects/:projectId/change-requests/:id/comments': async ({ params, body, author }) =>
      write(author, (tx) => addComment(tx, refOf(params), body.text)),
    'PUT /api/admin/projects/:projectId/change-requests/:id/approvers': async ({ params, body, author }) =>
      write(author, (tx) => setApprovers(tx, refOf(params), body.reviewers)),
  };
}

function refOf({ projectId, id }: { readonly projectId: string; readonly id: number }) {
  return { project: projectId, id };
}
