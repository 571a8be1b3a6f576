import {
  type ReplicaReport,
  type ReplicaState,
  type ReplicaUpdate,
  replicaStateSchema,
  replicaUpdateSchema,
} from '@yardarm/contract';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { formatPosition, type ReadPosition } from '#http/if-none-match.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { Loop } from '#kernel/loop.ts';

export interface UpstreamOptions {
  /** The address of the server, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  readonly protocol: number;
  readonly userAgent: string;
  /** The time without a byte after which the connection is given up, in milliseconds. */
  readonly silenceMs: number;
  /** Called with the reason when the upstream cannot be followed; again when another reason comes. */
  readonly onLost: (reason: string) => void;
  /** Called when the upstream is followed again after {@link onLost}. */
  readonly onFound: () => void;
  readonly clock: Clock;
  readonly position: () => ReadPosition | undefined;
  readonly load: (state: ReplicaState) => Promise<void>;
  readonly apply: (update: ReplicaUpdate) => Promise<void>;
}

/** The upstream cannot be reached, refused the replica, or is not a Yardarm server. The message says what to do. */
class UpstreamError extends Error {}

/** The longest message, in characters: the state of about 100,000 flags. */
const maxMessage = 512 * 1024 * 1024;
const slowestRetryMs = 15_000;
/** The time for an answer to a report; a replica that stops waits for it. */
const reportTimeoutMs = 10_000;
const fastestRetryMs = 200;

/**
 * Follows a Yardarm server: reads its stream, and hands on the messages one after the other, so that a slow replica
 * slows down its upstream. Connects again with back-off and jitter, at the position that it has reached.
 */
export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #connections: Loop;
  #failures = 0;
  #isConnected = false;
  /** Why the upstream cannot be followed; undefined while it is. */
  #reason: string | undefined;
  /** When the state was last that of the upstream, in milliseconds UTC; undefined when it never was. */
  #inSyncAt: number | undefined;
  #connection = new AbortController();

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const retryMs = () => {
      const longest = Math.min(slowestRetryMs, fastestRetryMs * 2 ** this.#failures++);
      return longest * (0.5 + Math.random() / 2);
    };
    this.#connections = new Loop({
      round: () => this.#follow(),
      onError: (error) => this.#lost(error),
      firstMs: 0,
      retryMs,
    });
  }

  /** Whether the state is that of the upstream, as far as its messages have arrived. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /**
   * The time for which changes may be missing, in milliseconds: 0 while the stream is open. Infinity when the state
   * never was that of the upstream.
   */
  get behindMs(): number {
    if (this.#isConnected) return 0;
    return this.#inSyncAt === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.now() - this.#inSyncAt;
  }

  /** Notes that the state was that of the upstream at a time, such as that of a snapshot. */
  wasInSyncAt(time: number): void {
    this.#inSyncAt = time;
  }

  /** Sends a report of what SDKs have reported. Rejects with a 503 when it is to be sent again. */
  async report(report: ReplicaReport): Promise<void> {
    const { url, token, userAgent } = this.#options;
    const later = (message: string) => new Problem('ServiceUnavailableError', message);
    const response = await fetch(`${url}/api/replica/reports`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify(report),
      redirect: 'error',
      signal: AbortSignal.timeout(reportTimeoutMs),
    }).catch((error: unknown) => {
      throw later((reasonOf(error, url) as Error).message);
    });
    if (response.status === 202) return void (await response.body?.cancel());
    const refused = await refusal(response, url, response.headers.get('content-type') ?? 'no content type');
    // Refused for good: the same report would be refused again.
    throw [400, 413].includes(response.status) ? refused : later(refused.message);
  }

  start(): void {
    this.#connections.start();
  }

  stop(): Promise<void> {
    this.#connection.abort();
    return this.#connections.stop();
  }

  /** Reads one stream to its end, which is always an error. */
  async #follow(): Promise<void> {
    const { url, silenceMs } = this.#options;
    const connection = new AbortController();
    this.#connection = connection;
    if (this.#connections.stopping.aborted) return;
    const began = performance.now();
    const silence = setTimeout(
      () => connection.abort(new UpstreamError(`${url} sent nothing for ${silenceMs / 1000} s`)),
      silenceMs,
    );
    try {
      const messages = await this.#connect(connection.signal, () => silence.refresh());
      for await (const sent of messages) await this.#take(sent);
      throw new UpstreamError(`${url} ended the stream`);
    } catch (error) {
      if (!this.#connections.stopping.aborted) throw reasonOf(error, url);
    } finally {
      if (this.#isConnected) this.#inSyncAt = this.#options.clock.now();
      this.#isConnected = false;
      // An upstream that ends each stream soon must not be asked several times in a second.
      if (performance.now() - began > slowestRetryMs) this.#failures = 0;
      clearTimeout(silence);
      connection.abort();
    }
  }

  async #connect(signal: AbortSignal, heard: () => void): Promise<ReadableStream<EventSourceMessage>> {
    const { url, token, protocol, userAgent, position } = this.#options;
    const known = position();
    const response = await fetch(`${url}/api/replica/stream?protocol=${protocol}`, {
      headers: {
        authorization: token,
        accept: 'text/event-stream',
        'user-agent': userAgent,
        ...(known === undefined ? {} : { 'last-event-id': formatPosition(known) }),
      },
      redirect: 'error',
      signal,
    });
    const type = response.headers.get('content-type') ?? 'no content type';
    if (response.status !== 200 || response.body === null || !type.startsWith('text/event-stream'))
      throw await refusal(response, url, type);
    const listening = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (bytes, controller) => {
        heard();
        controller.enqueue(bytes);
      },
    });
    return response.body
      .pipeThrough(listening)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onError: 'terminate', maxBufferSize: maxMessage }));
  }

  async #take({ event, data }: EventSourceMessage): Promise<void> {
    if (event === 'state') await this.#options.load(replicaStateSchema.parse(JSON.parse(data)));
    else if (event !== 'update') return;
    else if (this.#options.position() === undefined)
      throw new UpstreamError(`${this.#options.url} sent an update before a state`);
    else await this.#options.apply(replicaUpdateSchema.parse(JSON.parse(data)));
    this.#isConnected = true;
    if (this.#reason !== undefined) this.#options.onFound();
    this.#reason = undefined;
  }

  #lost(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.#reason) this.#options.onLost(reason);
    this.#reason = reason;
  }
}

/** Returns the error for an answer that is not the stream. */
async function refusal(response: Response, url: string, type: string): Promise<UpstreamError> {
  const { status } = response;
  const text = (await response.text()).slice(0, 10_000);
  const message = type.startsWith('application/json') ? messageOf(text) : undefined;
  if (message !== undefined) return new UpstreamError(`${url} refused the replica (${status}): ${message}`);
  return new UpstreamError(
    `${url} answered ${status} with ${type}, so it is not a Yardarm server that has replicas. Check the address.`,
  );
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    // The caller names the content type instead.
    return undefined;
  }
}

/** Returns the error that says why a stream ended: that of `fetch` has its reason in `cause`. */
function reasonOf(error: unknown, url: string): unknown {
  if (!(error instanceof TypeError)) return error;
  const cause = error.cause as { readonly message?: string } | undefined;
  return new UpstreamError(`${url} cannot be reached: ${cause?.message ?? error.message}`, { cause: error });
}
