import type { frontendRoutes, SdkContext } from '@yardarm/contract';
import type { FlagSet } from '@yardarm/evaluation';
import type { Handlers } from '../../http/handler.ts';
import type { RequestInfo } from '../../http/request.ts';
import type { SdkCaller } from '../../kernel/caller.ts';
import { type EvaluatedAnswer, evaluatedAnswer, type FlagSets, placeOf, queryFor, sdkVersionOf } from '../sdk/index.ts';
import type { Usage } from '../usage/index.ts';
import { complete, contextOfQuery, type Surroundings } from './context.ts';
import { ToggleTexts } from './toggles.ts';

export interface FrontendOptions extends Surroundings {
  readonly flagSets: FlagSets;
  readonly usage: Usage;
}

export function frontendHandlers(options: FrontendOptions): Handlers<typeof frontendRoutes> {
  const { flagSets, usage } = options;
  const texts = new ToggleTexts();
  const evaluate = (
    context: SdkContext,
    caller: SdkCaller,
    request: RequestInfo,
  ): EvaluatedAnswer | Promise<EvaluatedAnswer> => {
    const answer = (flags: FlagSet) => {
      const evaluated = texts.evaluated(flags, complete(context, caller, request, options));
      if (evaluated instanceof Promise) return evaluated.then((one) => evaluatedAnswer(one, request));
      return evaluatedAnswer(evaluated, request);
    };
    const flags = flagSets.of(queryFor(caller, {}, false));
    return flags instanceof Promise ? flags.then(answer) : answer(flags);
  };
  return {
    'GET /api/frontend': ({ query, caller, request }) => evaluate(contextOfQuery(query), caller, request),
    'POST /api/frontend': ({ body, caller, request }) => evaluate(body.context ?? {}, caller, request),
    'POST /api/frontend/client/metrics': ({ body, caller, request }) => {
      const sdkVersion = sdkVersionOf(body.sdkVersion, request);
      usage.counted({ ...body, sdkVersion, ...placeOf(caller, request) }, body.bucket ?? null);
      return { status: 200, body: 'OK' };
    },
    'POST /api/frontend/client/register': () => ({ status: 200, body: 'OK' }),
  };
}
