import { once } from 'node:events';
import type { Permission, RouteSpec } from '@yardarm/contract';
import type { FastifyRequest } from 'fastify';
import type { Identity } from '#kernel/caller.ts';
import { type ErrorName, Problem, type ProblemDetail } from '#kernel/errors.ts';
import { createMutex } from '#kernel/mutex.ts';
import { startThread } from '#kernel/start-thread.ts';
import { checkBodyHeaders, readBody, readLargeBody } from './body.ts';
import { parseRouteBody } from './parse.ts';
import { permissionProblem } from './permission.ts';
import { addChunk, type ValueChunk } from './value-chunks.ts';

/** The input of the worker thread: the key of the route, and the bytes of the body. */
export interface LargeBodyData {
  readonly key: string;
  readonly body: ArrayBuffer;
}

/** A message of the worker thread: a chunk of the parsed body, the end, or the error. */
export type LargeBodyAnswer =
  | { readonly piece: ValueChunk }
  | { readonly done: true }
  | {
      readonly problem: {
        readonly name: ErrorName;
        readonly message: string;
        readonly details: readonly ProblemDetail[] | undefined;
      };
    };

/** The memory of the worker thread: enough to parse and validate a body of 2,000,000 values. */
const threadMemoryMb = 1024;
/** The time to parse one body in the worker thread. Bodies within the bounds take a few seconds. */
const threadTimeoutMs = 60_000;

/**
 * Reads bodies above the default size limit. The caller needs one of the permissions in `largeBody` of the route,
 * unless the route takes large bodies of every account (`signed-in`). An account can send one such body at a time. A
 * worker thread parses and validates the bodies one after the other.
 *
 * On the main thread, 6 MB of `{},` held up all requests for 14 s and took 3.4 GB; with the bounds of the contract and
 * a thread, the longest turn of the event loop is 30 ms (75 ms for a plan of 10,000 flags). Each body has a thread of
 * its own: it takes 0.3 s to start, and its end frees all of its memory. Validated values must suit structured cloning.
 */
export class LargeBodies {
  readonly #maxBytes: number;
  readonly #busy = new Set<string>();
  readonly #parsing = createMutex();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Reads and validates the body of an admin request and returns the result of `answer`. Rejects with 403 when the
   * caller may not send large bodies, 429 while another large body of the account is being read, 413 when the body is
   * too large, and 400 when it is not valid.
   */
  async read<T>(
    key: string,
    spec: RouteSpec,
    request: FastifyRequest,
    ordinaryBytes: number,
    answer: (body: unknown) => Promise<T> | T,
  ): Promise<T> {
    checkBodyHeaders(request.headers, ['application/json']);
    const caller = request.caller as Identity;
    if (!maySend(spec, caller)) {
      const missing = () =>
        permissionProblem(spec.largeBody as readonly Permission[], `to send more than ${ordinaryBytes} bytes`);
      return answer(parseRouteBody(spec, await readBody(request.raw, ordinaryBytes, missing)));
    }
    const account = `${caller.actor.userId} ${caller.actor.name}`;
    if (this.#busy.has(account)) {
      throw new Problem(
        'RateLimitError',
        'Another large body of this account is being read. Wait for its answer and send this one again.',
        { headers: { 'retry-after': '1' } },
      );
    }
    this.#busy.add(account);
    try {
      const body = await readLargeBody(request.raw, this.#maxBytes);
      if (body.byteLength <= ordinaryBytes) return await answer(parseRouteBody(spec, Buffer.from(body)));
      return await answer(await this.#parsing(() => parseInThread(key, body)));
    } finally {
      this.#busy.delete(account);
    }
  }
}

function maySend({ largeBody }: RouteSpec, caller: Identity): boolean {
  return largeBody === 'signed-in' || largeBody?.some((permission) => caller.canSomewhere(permission)) === true;
}

async function parseInThread(key: string, body: ArrayBuffer): Promise<unknown> {
  const worker = startThread('large-body-worker', import.meta.url, {
    name: 'large-body',
    workerData: { key, body } satisfies LargeBodyData,
    transferList: [body],
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
  });
  const signal = AbortSignal.timeout(threadTimeoutMs);
  try {
    let whole: unknown;
    for (;;) {
      worker.postMessage(null);
      const [answer] = (await once(worker, 'message', { signal })) as [LargeBodyAnswer];
      if ('done' in answer) return whole;
      if ('problem' in answer) {
        const { name, message, details } = answer.problem;
        throw new Problem(name, message, details === undefined ? {} : { details });
      }
      whole = addChunk(whole, answer.piece);
    }
  } catch (error) {
    if (signal.aborted) throw tooExpensive('time', error);
    if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooExpensive('memory', error);
    throw error;
  } finally {
    await worker.terminate();
  }
}

function tooExpensive(resource: string, cause: unknown): Problem {
  return new Problem(
    'ContentTooLarge',
    `The body takes too much ${resource} to validate. Split it into several requests.`,
    {
      cause,
    },
  );
}
