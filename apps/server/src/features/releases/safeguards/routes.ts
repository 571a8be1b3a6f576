import type { safeguardRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { warningHeaders } from '#http/warnings.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { presentSafeguard } from './safeguard.ts';

type Params = { readonly projectId: string; readonly featureName: string; readonly environment: string };

export function safeguardHandlers({ db, write }: Database): Handlers<typeof safeguardRoutes> {
  return {
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards': async ({
      params,
    }) => {
      const safeguards = await commands.listSafeguards(db, placeOf(params));
      return { body: { safeguards: safeguards.map((safeguard) => presentSafeguard(safeguard, params.projectId)) } };
    },
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards': async (input) => {
      const { params, body, author } = input;
      const place = { ...placeOf(params), planId: null };
      const warnings = await write(author, (tx) => commands.setSafeguard(tx, place, body));
      return { headers: warningHeaders(warnings) };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards/:safeguardId':
      async ({ params, author }) => {
        const place = { ...placeOf(params), planId: null };
        await write(author, (tx) => commands.removeSafeguard(tx, place, params.safeguardId));
      },
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/safeguards':
      async ({ params, body, author }) => {
        const place = { ...placeOf(params), planId: params.planId };
        const warnings = await write(author, (tx) => commands.setSafeguard(tx, place, body));
        return { headers: warningHeaders(warnings) };
      },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/safeguards/:safeguardId':
      async ({ params, author }) => {
        const place = { ...placeOf(params), planId: params.planId };
        await write(author, (tx) => commands.removeSafeguard(tx, place, params.safeguardId));
      },
  };
}

function placeOf({ projectId, featureName, environment }: Params) {
  return { project: projectId, featureName, environment };
}
