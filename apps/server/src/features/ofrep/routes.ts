import { applicationName, type ofrepRoutes, readContext, wrongField } from '@yardarm/contract';
import { type Evaluation, type FlagSet, type ReadyContext, readyContext } from '@yardarm/evaluation';
import type { Handlers } from '../../http/handler.ts';
import type { RequestInfo } from '../../http/request.ts';
import type { SdkCaller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import {
  type EvaluationBudgets,
  evaluatedAnswer,
  type FlagSets,
  inTurns,
  markOf,
  placeOf,
  queryFor,
  revisionIn,
} from '../sdk/index.ts';
import type { Usage } from '../usage/index.ts';
import { BadPayload, type Resolution, resolve } from './resolution.ts';

/** Where changes are told of: at a URL, or at a path of the server that was asked. */
export type EventStreamPlace = { readonly type: 'sse' } & (
  | { readonly url: string }
  | { readonly endpoint: { readonly requestUri: string } }
);

export interface OfrepOptions {
  readonly flagSets: FlagSets;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hostname: string;
  readonly budgets: EvaluationBudgets;
  readonly usage: Usage;
  readonly revision: (environment: string) => number;
  /** Resolves when all that was committed before is in what is evaluated. */
  readonly catchUp: () => Promise<void>;
  /** Where a stream is that tells the caller of changes. */
  readonly eventStream: (caller: SdkCaller) => Promise<EventStreamPlace>;
}

/** Evaluation for providers of OpenFeature: OFREP 0.3, which is 0.2 and event streams. */
export function ofrepHandlers(options: OfrepOptions): Handlers<typeof ofrepRoutes> {
  const prepare = async (fields: Readonly<Record<string, unknown>>, caller: SdkCaller, request: RequestInfo) => {
    const context = contextOf(fields, caller, request, options);
    return { context, flags: await options.flagSets.of(queryFor(caller, {}, false)) };
  };
  return {
    'POST /ofrep/v1/evaluate/flags/:key': async ({ params, body, caller, request }) => {
      const { context, flags } = await prepare(body.context ?? {}, caller, request);
      const flag = flags.get(params.key);
      if (flag === undefined)
        throw new Problem('NotFoundError', `There is no flag ${params.key} that this token opens.`);
      const evaluation = flags.evaluate(flag, context);
      count(options.usage, flag.name, evaluation, context.values.get('appName'), caller, request);
      const resolved = orFailure(flag.name, () => resolve(flag, evaluation));
      if ('errorCode' in resolved) throw new Problem('BadRequestError', resolved.errorDetails);
      return { status: 200, body: resolved };
    },
    'POST /ofrep/v1/evaluate/flags': async ({ body, query, caller, request }) => {
      // Another process may have told of a change that this one has not heard of.
      const told = revisionIn(query.flagConfigEtag);
      if (told !== undefined && told > options.revision(caller.environment)) await options.catchUp();
      const { context, flags } = await prepare(body.context ?? {}, caller, request);
      const eventStreams = [await options.eventStream(caller)];
      const text = JSON.stringify({ flags: await resolveAll(flags, context), eventStreams });
      return evaluatedAnswer({ mark: markOf(text), body: () => text }, request);
    },
  };
}

/** Who evaluates for an application that does not say its name. */
const unnamed = 'OpenFeature';

/**
 * Counts one evaluation, as SDKs do for themselves. Only those of one flag: what somebody asks for who takes all flags at
 * once tells nothing of which are used.
 */
function count(
  usage: Usage,
  flag: string,
  { enabled, variant }: Evaluation,
  appName: string | undefined,
  caller: SdkCaller,
  request: RequestInfo,
): void {
  const named = applicationName.safeParse(appName);
  usage.counted(
    {
      appName: named.success ? named.data : unnamed,
      instanceId: 'default',
      sdkVersion: null,
      ...placeOf(caller, request),
    },
    {
      start: null,
      stop: null,
      toggles: {
        [flag]: { yes: enabled ? 1 : 0, no: enabled ? 0 : 1, variants: variant.enabled ? { [variant.name]: 1 } : {} },
      },
    },
  );
}

async function resolveAll(flags: FlagSet, context: ReadyContext): Promise<readonly (Resolution | Failure)[]> {
  const resolved: (Resolution | Failure)[] = [];
  const evaluate = flags.evaluator(context);
  await inTurns(flags.all, context.budget, (one) => {
    resolved.push(orFailure(one.flag.name, () => resolve(one.flag, evaluate(one))));
  });
  return resolved;
}

/** One flag of several that could not be told. */
interface Failure {
  readonly key: string;
  readonly errorCode: 'PARSE_ERROR';
  readonly errorDetails: string;
}

function orFailure(key: string, make: () => Resolution): Resolution | Failure {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BadPayload)) throw error;
    return { key, errorCode: 'PARSE_ERROR', errorDetails: error.message };
  }
}

/**
 * Reads OpenFeature's context: `targetingKey` stands for `userId`. What no constraint can ask about, such as lists, is passed
 * over, since applications have one context for all that reads it; a field that SDKs know must be right.
 */
function contextOf(
  { targetingKey, ...fields }: Readonly<Record<string, unknown>>,
  { environment, type }: SdkCaller,
  { remoteAddress }: RequestInfo,
  { clock, random, hostname, budgets }: OfrepOptions,
): ReadyContext {
  const { context, invalid } = readContext({ userId: targetingKey, ...fields });
  const wrong = invalid.find((path) => known.includes(path));
  if (wrong !== undefined) throw badField(`context.${wrong}`, wrongField);
  // Behind a backend token the request comes from a server, not from the user.
  const from = type === 'frontend' ? { remoteAddress } : {};
  const circumstances = { now: clock.now(), random, hostname, budget: budgets.forRequest() };
  return readyContext({ environment, ...from, ...context }, circumstances);
}

const known: readonly string[] = ['userId', 'sessionId', 'remoteAddress', 'environment', 'appName', 'currentTime'];
