import type { frontendRoutes, SdkContext } from '@yardarm/contract';
import type { FlagSet } from '@yardarm/evaluation';
import type { RecentContexts } from '#features/sdks/recent-contexts/index.ts';
import {
  type EvaluationAnswer,
  evaluationAnswer,
  type FlagSetCache,
  queryFor,
  reporterOf,
  sdkVersionOf,
} from '#features/sdks/sdk/index.ts';
import type { Usage } from '#features/sdks/usage/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { RequestInfo } from '#http/request.ts';
import type { SdkCaller } from '#kernel/caller.ts';
import { completeContext, contextOfQuery, type EvaluationInputs } from './context.ts';
import { ToggleCache } from './toggle-cache.ts';

export interface FrontendOptions extends EvaluationInputs {
  readonly flagSets: FlagSetCache;
  readonly usage: Usage;
  readonly recentContexts: RecentContexts;
}

export function frontendHandlers(options: FrontendOptions): Handlers<typeof frontendRoutes> {
  const { flagSets, usage, recentContexts } = options;
  const toggles = new ToggleCache();
  const evaluate = (
    context: SdkContext,
    caller: SdkCaller,
    request: RequestInfo,
  ): EvaluationAnswer | Promise<EvaluationAnswer> => {
    const { remoteAddress } = request;
    recentContexts.add(caller, { remoteAddress, ...context, sessionId: context.sessionId ?? null });
    const answer = (flags: FlagSet) => {
      const evaluated = toggles.evaluate(flags, completeContext(context, caller, request, options));
      if (evaluated instanceof Promise) return evaluated.then((result) => evaluationAnswer(result, request));
      return evaluationAnswer(evaluated, request);
    };
    const flags = flagSets.of(queryFor(caller, {}, false));
    return flags instanceof Promise ? flags.then(answer) : answer(flags);
  };
  return {
    'GET /api/frontend': ({ query, caller, request }) => evaluate(contextOfQuery(query), caller, request),
    'POST /api/frontend': ({ body, caller, request }) => evaluate(body.context ?? {}, caller, request),
    'POST /api/frontend/client/metrics': ({ body, caller, request }) => {
      const sdkVersion = sdkVersionOf(body.sdkVersion, request);
      usage.counted({ ...body, sdkVersion, ...reporterOf(caller, request) }, body.bucket ?? null);
      return { status: 200, body: 'OK' };
    },
    'POST /api/frontend/client/register': () => ({ status: 200, body: 'OK' }),
  };
}
