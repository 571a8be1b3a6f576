import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Permission, RouteSpec } from '@yardarm/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Identity } from '../kernel/caller.ts';
import { type ErrorName, Problem, type ProblemDetail } from '../kernel/errors.ts';
import { oneAtATime } from '../kernel/one-at-a-time.ts';
import { checkBodyHeaders, decodeUtf8, parseJson, readBody, readLargeBody } from './body.ts';
import { parse } from './parse.ts';
import { permissionProblem } from './permission.ts';
import { assemble, type Piece } from './pieces.ts';

/** What the thread gets: the key of the route whose body it is, and the bytes. */
export interface LargeBodyData {
  readonly key: string;
  readonly body: ArrayBuffer;
}

/** What the thread answers: a piece of the parsed body, that there are no more, or why there is none. */
export type LargeBodyAnswer =
  | { readonly piece: Piece }
  | { readonly done: true }
  | {
      readonly problem: {
        readonly name: ErrorName;
        readonly message: string;
        readonly details: readonly ProblemDetail[] | undefined;
      };
    };

/** Enough for a body of 2,000,000 values and what validating it makes of them. */
const threadMemoryMb = 1024;
/** For one body in its thread, once it has arrived. Bounded bodies take a few seconds; this ends what nobody foresaw. */
const threadTimeoutMs = 60_000;

/**
 * Reads bodies beyond the ordinary limit: only of callers with a permission that the route names, one at a time for each
 * account, parsed and validated in a thread of their own, one after the other.
 */
export class LargeBodies {
  readonly #maxBytes: number;
  readonly #busy = new Set<string>();
  readonly #parsing = oneAtATime();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Answers a request of an administration route with what `answer` makes of its body. Rejects with 403 when the caller may not
   * send one so large, 429 while another large body of the account is under way, 413 when the body is too large, and 400 when it
   * is not valid.
   */
  async read<T>(
    key: string,
    spec: RouteSpec,
    request: FastifyRequest,
    ordinaryBytes: number,
    answer: (body: unknown) => Promise<T> | T,
  ): Promise<T> {
    checkBodyHeaders(spec, request.headers);
    const caller = request.caller as Identity;
    if (!maySend(spec, caller)) {
      const missing = permissionProblem(
        spec.largeBody as readonly Permission[],
        `to send more than ${ordinaryBytes} bytes`,
      );
      return answer(parseOrdinary(spec, await readBody(request.raw, ordinaryBytes, missing)));
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
      if (body.byteLength <= ordinaryBytes) return await answer(parseOrdinary(spec, Buffer.from(body)));
      return await answer(await this.#parsing(() => parseInThread(key, body)));
    } finally {
      this.#busy.delete(account);
    }
  }
}

function maySend({ largeBody }: RouteSpec, caller: Identity): boolean {
  return largeBody === 'signed-in' || largeBody?.some((permission) => caller.canSomewhere(permission)) === true;
}

function parseOrdinary({ body: schema }: RouteSpec, body: Buffer): unknown {
  return parse(schema as z.ZodType, parseJson(decodeUtf8(body)));
}

async function parseInThread(key: string, body: ArrayBuffer): Promise<unknown> {
  const worker = new Worker(new URL('./large-body-worker.ts', import.meta.url), {
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
      whole = assemble(whole, answer.piece);
    }
  } catch (error) {
    if (signal.aborted) throw tooDear('time', error);
    if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooDear('memory', error);
    throw error;
  } finally {
    await worker.terminate();
  }
}

function tooDear(what: string, cause: unknown): Problem {
  return new Problem('ContentTooLarge', `Validating this body takes too much ${what}. Send it in parts.`, { cause });
}
