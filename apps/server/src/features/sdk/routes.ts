import type { sdkRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { RequestInfo } from '../../http/request.ts';
import type { SdkCaller } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Usage } from '../usage/index.ts';
import { takesSegments } from './client-spec.ts';
import { compress, encodingFor } from './content-encoding.ts';
import { type Delta, deltaSince } from './deltas.ts';
import { queryFor } from './feature-query.ts';
import { deltaTag, namesTag, revisionIn, unchangedHeaders, vary } from './if-none-match.ts';
import type { ReadyAnswer, ReadyAnswers } from './ready-answers.ts';
import type { Snapshot } from './snapshot.ts';

export interface SdkRoutesOptions {
  readonly snapshot: Snapshot;
  readonly answers: ReadyAnswers;
  readonly hydrations: ReadyAnswers;
  readonly usage: Usage;
  /** Version of this program. */
  readonly version: string;
}

export function sdkHandlers({
  snapshot,
  answers,
  hydrations,
  usage,
  version,
}: SdkRoutesOptions): Handlers<typeof sdkRoutes> {
  return {
    'GET /api/client/features': ({ caller, query, request }) => {
      const wanted = queryFor(caller, query, !takesSegments(request.header('unleash-client-spec')));
      const current = answers.etag(wanted);
      if (namesTag(request.header('if-none-match'), current)) {
        return { status: 304, headers: unchangedHeaders(current) };
      }
      const ready = answers.answer(wanted, request.header('accept-encoding'));
      return ready instanceof Promise ? ready.then(whole) : whole(ready);
    },
    'GET /api/client/delta': ({ caller, query, request }) => {
      const wanted = queryFor(caller, query, false);
      const known = revisionIn(request.header('if-none-match'));
      const acceptEncoding = request.header('accept-encoding');
      const delta = known === undefined ? undefined : { known, since: deltaSince(snapshot, wanted, known) };
      if (delta?.since === null) return { status: 304, headers: unchangedHeaders(deltaTag(delta.known)) };
      const ready = delta?.since ? encoded(delta.since, acceptEncoding) : hydrations.answer(wanted, acceptEncoding);
      return ready instanceof Promise ? ready.then(whole) : whole(ready);
    },
    'GET /api/client/features/:featureName': ({ caller, params }) => {
      const flag = snapshot.flag(params.featureName, queryFor(caller, {}, true));
      if (flag === undefined)
        throw new Problem('NotFoundError', `There is no flag ${params.featureName} that this token opens.`);
      return { status: 200, body: flag.bytes(caller.environment, 'inline') };
    },
    'POST /api/client/register': ({ body, caller, request }) => {
      const sdkVersion = sdkVersionOf(body.sdkVersion, request);
      usage.registered({ ...body, sdkVersion, ...placeOf(caller, request), startedAt: body.started });
      return { status: 202, headers: { 'x-unleash-version': version } };
    },
    'POST /api/client/metrics': ({ body, caller, request }) => {
      const sdkVersion = sdkVersionOf(body.sdkVersion, request);
      usage.counted({ ...body, sdkVersion, ...placeOf(caller, request) }, body.bucket ?? null);
      return { status: 202 };
    },
    'POST /api/client/metrics/bulk': ({ body, caller }) => {
      const here = ({ environment }: { readonly environment: string }) => environment === caller.environment;
      for (const { started, ...instance } of body.applications.filter(here)) {
        usage.registered({ ...instance, startedAt: started, address: null });
      }
      for (const { featureName, appName, environment, timestamp, ...counts } of body.metrics.filter(here)) {
        usage.countedBehind(
          { appName, environment },
          { start: timestamp, stop: null, toggles: { [featureName]: counts } },
        );
      }
      return { status: 202 };
    },
  };
}

function encoded(
  { revision, json }: Delta,
  acceptEncoding: string | undefined,
): Omit<ReadyAnswer, 'revision'> | Promise<Omit<ReadyAnswer, 'revision'>> {
  const etag = deltaTag(revision);
  const bytes = Buffer.from(`{"events":${json}}`);
  const encoding = encodingFor(acceptEncoding, bytes.length);
  if (encoding === 'identity') return { etag, encoding, bytes };
  return compress(bytes, encoding).then((compressed) => ({ etag, encoding, bytes: compressed }));
}

function whole({ etag, encoding, bytes }: Omit<ReadyAnswer, 'revision'>) {
  const headers = encoding === 'identity' ? { etag, vary } : { etag, vary, 'content-encoding': encoding };
  return { status: 200 as const, headers, body: bytes };
}

/** Where an SDK that reports is: what its token says, and not what it says itself. */
export function placeOf({ environment, type }: SdkCaller, { clientAddress }: RequestInfo) {
  return { environment, sdkType: type, address: clientAddress };
}

/**
 * What an SDK calls itself: as it reports, or else by the header that it sends with everything. Metrics have only that, and
 * an SDK whose registration was lost does not repeat it.
 */
export function sdkVersionOf(reported: string | null, request: RequestInfo): string | null {
  return reported ?? (request.header('unleash-sdk')?.slice(0, 255) || null);
}
