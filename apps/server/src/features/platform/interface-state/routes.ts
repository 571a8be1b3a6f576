import type { interfaceStateRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Author } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { type Clock, isoTimeOrNull } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import * as store from './store.ts';

const maxListed = 1000;
/** The maximum lengths of a reported message and its stack in the log, in characters. */
const longestMessage = 1000;
const longestStack = 8000;

/**
 * Serves the state of the admin UI: splash screens, feedback and error reports. `log` writes the errors of the UI to
 * the log.
 */
export function interfaceStateHandlers(
  { db, writeQuietly }: Database,
  clock: Clock,
  log: (about: object, message: string) => void,
): Handlers<typeof interfaceStateRoutes> {
  const save = async (caller: Identity, author: Author, change: (tx: Tx) => Promise<void>) => {
    // Admin tokens and anonymous callers have no account to store the state for.
    if (caller.kind !== 'user' && caller.kind !== 'service-account') return;
    await writeQuietly('interface state', author, change);
  };
  return {
    'POST /api/admin/splash/:id': async ({ params, author, caller }) => {
      const { userId } = caller.actor;
      await save(caller, author, (tx) => store.saveSplashSeen(tx, userId, params.id));
      return { body: { userId, splashId: params.id, seen: true } };
    },
    'POST /api/admin/feedback': async ({ body, author, caller }) => {
      const { userId } = caller.actor;
      const { feedbackId, neverShow = false } = body;
      const now = clock.now();
      await save(caller, author, (tx) => store.saveFeedbackPrompt(tx, userId, feedbackId, neverShow, now));
      return { body: { userId, feedbackId, neverShow, given: isoTimeOrNull(now) } };
    },
    'PUT /api/admin/feedback/:id': async ({ params, body, author, caller }) => {
      const { userId } = caller.actor;
      const { neverShow = false, given = null } = body;
      await save(caller, author, (tx) => store.saveFeedbackPrompt(tx, userId, params.id, neverShow, given));
      return { body: { userId, feedbackId: params.id, neverShow, given: isoTimeOrNull(given) } };
    },
    'POST /feedback': async ({ body, author }) => {
      const feedback = {
        category: body.category,
        userType: body.userType ?? null,
        difficultyScore: body.difficultyScore ?? null,
        positive: body.positive ?? null,
        areasForImprovement: body.areasForImprovement ?? null,
      };
      const kept = await writeQuietly('interface state', author, (tx) => store.insertFeedback(tx, feedback));
      return { body: kept };
    },
    'GET /api/admin/feedback': async () => ({ body: await store.listFeedback(db, maxListed) }),
    'POST /api/admin/record-ui-error': async ({ body, caller, request }) => {
      const { userId } = caller.actor;
      const stack = body.errorStack?.slice(0, longestStack);
      log(
        { requestId: request.requestId, userId, stack },
        `error in the admin UI: ${body.errorMessage.slice(0, longestMessage)}`,
      );
    },
    'GET /api/admin/telemetry/settings': () => ({
      body: { versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false },
    }),
  };
}
