import { applicationName, type ofrepRoutes, readContext, type SdkContext, wrongField } from '@yardarm/contract';
import { type Evaluation, type FlagSet, type ReadyContext, readyContext } from '@yardarm/evaluation';
import type { RecentContexts } from '#features/sdks/recent-contexts/index.ts';
import {
  digestOf,
  type EvaluationBudgets,
  evaluationAnswer,
  type FlagSetCache,
  forEachInSlices,
  queryFor,
  randomSessionId,
  reporterOf,
} from '#features/sdks/sdk/index.ts';
import type { Usage } from '#features/sdks/usage/index.ts';
import type { Handlers } from '#http/handler.ts';
import { parsePosition, type ReadPosition } from '#http/if-none-match.ts';
import type { RequestInfo } from '#http/request.ts';
import type { SdkCaller } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { BadPayload, type Resolution, resolve } from './resolution.ts';

/** The address of the event stream: a URL, or a path on the server that received the request. */
export type EventStreamLocation = { readonly type: 'sse' } & (
  | { readonly url: string }
  | { readonly endpoint: { readonly requestUri: string } }
);

export interface OfrepOptions {
  readonly flagSets: FlagSetCache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hostname: string;
  readonly budgets: EvaluationBudgets;
  readonly usage: Usage;
  readonly recentContexts: RecentContexts;
  readonly position: (environment: string) => { readonly id: number; readonly epoch: string };
  /** Resolves when the snapshot has all changes up to a position, as far as they can be known. */
  readonly catchUp: (position: ReadPosition) => Promise<void>;
  /** Returns the address of the event stream for the caller. */
  readonly eventStream: (caller: SdkCaller) => Promise<EventStreamLocation>;
}

/** Evaluation for OpenFeature providers: OFREP 0.3, which is OFREP 0.2 with event streams. */
export function ofrepHandlers(options: OfrepOptions): Handlers<typeof ofrepRoutes> {
  const { clock, random, hostname, budgets } = options;
  const prepare = async (fields: Readonly<Record<string, unknown>>, caller: SdkCaller, request: RequestInfo) => {
    const sent = contextOf(fields, caller, request);
    options.recentContexts.add(caller, { ...sent, sessionId: sent.sessionId ?? null });
    const inputs = { now: clock.now(), random, hostname, budget: budgets.forRequest() };
    const added = { environment: caller.environment, sessionId: randomSessionId(random) };
    const context = readyContext({ ...added, ...sent }, inputs);
    return { context, flags: await options.flagSets.of(queryFor(caller, {}, false)) };
  };
  return {
    'POST /ofrep/v1/evaluate/flags/:key': async ({ params, body, caller, request }) => {
      const { context, flags } = await prepare(body.context ?? {}, caller, request);
      const flag = flags.get(params.key);
      if (flag === undefined)
        throw new Problem('NotFoundError', `There is no flag ${params.key} in the projects of this API token.`);
      const evaluation = flags.evaluate(flag, context);
      count(options.usage, flag.name, evaluation, context.values.get('appName'), caller, request);
      const resolved = resolveOrFail(flag.name, () => resolve(flag, evaluation));
      if ('errorCode' in resolved) throw new Problem('BadRequestError', resolved.errorDetails);
      return { status: 200, body: resolved };
    },
    'POST /ofrep/v1/evaluate/flags': async ({ body, query, caller, request }) => {
      // The provider may have received a revision from another process that this process has not read yet.
      const known = parsePosition(query.flagConfigEtag);
      const current = options.position(caller.environment);
      const isOther = known?.epoch !== undefined && known.epoch !== current.epoch;
      if (known !== undefined && (isOther || known.id > current.id)) await options.catchUp(known);
      const { context, flags } = await prepare(body.context ?? {}, caller, request);
      const eventStreams = [await options.eventStream(caller)];
      const json = JSON.stringify({ flags: await resolveAll(flags, context), eventStreams });
      return evaluationAnswer({ digest: digestOf(json), body: () => json }, request);
    },
  };
}

/** The application name when the context has none. */
const defaultAppName = 'OpenFeature';

/**
 * Counts one evaluation, as SDKs do themselves. Bulk evaluations are not counted, because they do not show which flags
 * the application uses.
 */
function count(
  usage: Usage,
  flag: string,
  { enabled, variant }: Evaluation,
  appName: string | undefined,
  caller: SdkCaller,
  request: RequestInfo,
): void {
  const parsedName = applicationName.safeParse(appName);
  usage.counted(
    {
      appName: parsedName.success ? parsedName.data : defaultAppName,
      instanceId: 'default',
      sdkVersion: null,
      ...reporterOf(caller, request),
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
  await forEachInSlices(flags.all, context.budget, (member) => {
    resolved.push(resolveOrFail(member.flag.name, () => resolve(member.flag, evaluate(member))));
  });
  return resolved;
}

/** A flag of a bulk evaluation that could not be resolved. */
interface Failure {
  readonly key: string;
  readonly errorCode: 'PARSE_ERROR';
  readonly errorDetails: string;
}

function resolveOrFail(key: string, make: () => Resolution): Resolution | Failure {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BadPayload)) throw error;
    return { key, errorCode: 'PARSE_ERROR', errorDetails: error.message };
  }
}

/**
 * Reads OpenFeature's context; `targetingKey` becomes `userId`. Custom fields that constraints cannot use, such as
 * lists, are ignored, because applications share one context among several providers. A standard field with a wrong
 * type is rejected.
 */
function contextOf(
  { targetingKey, ...fields }: Readonly<Record<string, unknown>>,
  { type }: SdkCaller,
  { remoteAddress }: RequestInfo,
): SdkContext {
  const { context, invalid } = readContext({ userId: targetingKey, ...fields });
  const wrong = invalid.find((path) => standardFields.includes(path));
  if (wrong !== undefined) throw badField(`context.${wrong}`, wrongField);
  // A request with a backend token comes from a server, so its address is not the user's.
  const address = type === 'frontend' ? { remoteAddress } : {};
  return { ...address, ...context };
}

const standardFields: readonly string[] = [
  'userId',
  'sessionId',
  'remoteAddress',
  'environment',
  'appName',
  'currentTime',
];
