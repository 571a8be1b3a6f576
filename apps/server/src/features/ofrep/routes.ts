import { type ofrepRoutes, readContext, wrongField } from '@yardarm/contract';
import { type FlagSet, type ReadyContext, readyContext } from '@yardarm/evaluation';
import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import type { RequestInfo } from '../../http/request.ts';
import type { SdkCaller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { evaluatedAnswer, type FlagSets, queryFor } from '../sdk/index.ts';
import { BadPayload, type Resolution, resolve } from './resolution.ts';

export interface OfrepOptions {
  readonly flagSets: FlagSets;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hostname: string;
  /** Evaluations for one address. */
  readonly rate: RateLimit;
}

/** Evaluation for providers of OpenFeature (OFREP 0.3). */
export function ofrepHandlers(options: OfrepOptions): Handlers<typeof ofrepRoutes> {
  const prepare = async (fields: Readonly<Record<string, unknown>>, caller: SdkCaller, request: RequestInfo) => {
    await options.rate.spend(request.clientAddress);
    const context = contextOf(fields, caller, request, options);
    return { context, flags: await options.flagSets.of(queryFor(caller, {}, false)) };
  };
  return {
    'POST /ofrep/v1/evaluate/flags/:key': async ({ params, body, caller, request }) => {
      const { context, flags } = await prepare(body.context ?? {}, caller, request);
      const flag = flags.get(params.key);
      if (flag === undefined)
        throw new Problem('NotFoundError', `There is no flag ${params.key} that this token opens.`);
      const resolved = orFailure(flag.name, () => resolve(flag, flags.evaluate(flag, context)));
      if ('errorCode' in resolved) throw new Problem('BadRequestError', resolved.errorDetails);
      return { status: 200, body: resolved };
    },
    'POST /ofrep/v1/evaluate/flags': async ({ body, caller, request }) => {
      const { context, flags } = await prepare(body.context ?? {}, caller, request);
      return evaluatedAnswer(JSON.stringify({ flags: [...resolveAll(flags, context)] }), request);
    },
  };
}

function* resolveAll(flags: FlagSet, context: ReadyContext): Generator<Resolution | Failure> {
  for (const flag of flags.flags) yield orFailure(flag.name, () => resolve(flag, flags.evaluate(flag, context)));
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
  { clock, random, hostname }: OfrepOptions,
): ReadyContext {
  const { context, invalid } = readContext({ userId: targetingKey, ...fields });
  const wrong = invalid.find((path) => known.includes(path));
  if (wrong !== undefined) throw badField(`context.${wrong}`, wrongField);
  // Behind a backend token the request comes from a server, not from the user.
  const from = type === 'frontend' ? { remoteAddress } : {};
  return readyContext({ environment, ...from, ...context }, { now: clock.now(), random, hostname });
}

const known: readonly string[] = ['userId', 'sessionId', 'remoteAddress', 'environment', 'appName', 'currentTime'];
