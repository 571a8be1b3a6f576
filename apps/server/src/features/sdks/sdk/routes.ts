import type { sdkRoutes } from '@yardarm/contract';
import type { ImpactRecorder } from '#features/metrics/impact-metrics/index.ts';
import { scopeOf } from '#features/people/token-scopes/index.ts';
import type { Usage } from '#features/sdks/usage/index.ts';
import { compress, encodingFor } from '#http/content-encoding.ts';
import type { Handlers } from '#http/handler.ts';
import { deltaEtag, matchesEtag, notModifiedHeaders, parsePosition, vary } from '#http/if-none-match.ts';
import type { RequestInfo } from '#http/request.ts';
import type { SdkCaller } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { AnswerCache, CachedAnswer } from './answer-cache.ts';
import { takesSegments } from './client-spec.ts';
import { type Delta, deltaSince } from './deltas.ts';
import { queryFor } from './feature-query.ts';
import type { Snapshot } from './snapshot.ts';

export interface SdkRoutesOptions {
  readonly snapshot: Snapshot;
  readonly answers: AnswerCache;
  readonly hydrations: AnswerCache;
  readonly usage: Usage;
  readonly impactMetrics: ImpactRecorder;
  /** The version of Yardarm. */
  readonly version: string;
}

export function sdkHandlers({
  snapshot,
  answers,
  hydrations,
  usage,
  impactMetrics,
  version,
}: SdkRoutesOptions): Handlers<typeof sdkRoutes> {
  return {
    'GET /api/client/features': ({ caller, query, request }) => {
      const featureQuery = queryFor(caller, query, !takesSegments(request.header('unleash-client-spec')));
      const current = answers.etag(featureQuery);
      if (matchesEtag(request.header('if-none-match'), current)) {
        return { status: 304, headers: notModifiedHeaders(current) };
      }
      const answer = answers.answer(featureQuery, request.header('accept-encoding'));
      return answer instanceof Promise ? answer.then(ok) : ok(answer);
    },
    'GET /api/client/delta': ({ caller, query, request }) => {
      const featureQuery = queryFor(caller, query, false);
      const known = parsePosition(request.header('if-none-match'));
      const acceptEncoding = request.header('accept-encoding');
      const delta = known === undefined ? undefined : { known, since: deltaSince(snapshot, featureQuery, known) };
      if (delta?.since === null) return { status: 304, headers: notModifiedHeaders(deltaEtag(delta.known)) };
      const answer = delta?.since
        ? encoded(delta.since, snapshot.epoch, acceptEncoding)
        : hydrations.answer(featureQuery, acceptEncoding);
      return answer instanceof Promise ? answer.then(ok) : ok(answer);
    },
    'GET /api/client/features/:featureName': ({ caller, params }) => {
      const flag = snapshot.flag(params.featureName, queryFor(caller, {}, true));
      if (flag === undefined)
        throw new Problem('NotFoundError', `There is no flag ${params.featureName} in the projects of this API token.`);
      return { status: 200, body: flag.bytes(caller.environment, 'inline') };
    },
    'POST /api/client/register': ({ body, caller, request }) => {
      const sdkVersion = sdkVersionOf(body.sdkVersion, request);
      usage.registered({ ...body, sdkVersion, ...reporterOf(caller, request), startedAt: body.started });
      return { status: 202, headers: { 'x-unleash-version': version } };
    },
    'POST /api/client/metrics': ({ body, caller, request }) => {
      const sdkVersion = sdkVersionOf(body.sdkVersion, request);
      usage.counted({ ...body, sdkVersion, ...reporterOf(caller, request) }, body.bucket ?? null);
      const { environment, scope } = placeOf(caller);
      impactMetrics.record(body.impactMetrics, { environment, scope, appName: body.appName, origin: 'sdk' });
      return { status: 202 };
    },
    'POST /api/client/metrics/bulk': ({ body, caller }) => {
      const { scope } = placeOf(caller);
      const isOfToken = ({ environment }: { readonly environment: string }) => environment === caller.environment;
      for (const { started, ...instance } of body.applications.filter(isOfToken)) {
        usage.registered({ ...instance, scope, startedAt: started, address: null });
      }
      for (const { featureName, appName, environment, timestamp, ...counts } of body.metrics.filter(isOfToken)) {
        usage.countedByProxy(
          { appName, environment, scope },
          { start: timestamp, stop: null, toggles: { [featureName]: counts } },
        );
      }
      impactMetrics.record(body.impactMetrics, { environment: caller.environment, scope, origin: 'Edge' });
      return { status: 202 };
    },
  };
}

function encoded(
  { revision: id, json }: Delta,
  epoch: string,
  acceptEncoding: string | undefined,
): Omit<CachedAnswer, 'position'> | Promise<Omit<CachedAnswer, 'position'>> {
  const etag = deltaEtag({ id, epoch });
  const bytes = Buffer.from(`{"events":${json}}`);
  const encoding = encodingFor(acceptEncoding, bytes.length);
  if (encoding === 'identity') return { etag, encoding, bytes };
  return compress(bytes, encoding).then((compressed) => ({ etag, encoding, bytes: compressed }));
}

function ok({ etag, encoding, bytes }: Omit<CachedAnswer, 'position'>) {
  const headers = encoding === 'identity' ? { etag, vary } : { etag, vary, 'content-encoding': encoding };
  return { status: 200 as const, headers, body: bytes };
}

/** Returns the environment and the scope of a token. */
function placeOf({ environment, projects }: SdkCaller) {
  return { environment, scope: scopeOf(projects) };
}

/**
 * Returns the environment, scope, kind and address of a reporting SDK, taken from its token and connection, not from
 * the body.
 */
export function reporterOf(caller: SdkCaller, { clientAddress }: RequestInfo) {
  return { ...placeOf(caller), sdkType: caller.type, address: clientAddress };
}

/**
 * Returns the SDK version from the body, or else from the `Unleash-SDK` header. Metrics have only the header, and an
 * SDK whose registration was lost does not register again.
 */
export function sdkVersionOf(reported: string | null, request: RequestInfo): string | null {
  return reported ?? (request.header('unleash-sdk')?.slice(0, 255) || null);
}
