import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { defaultStalledMs } from './slow-readers.ts';

/**
 * The highest number of requests that wait, on all connections, for the answer to an earlier request of theirs. Node
 * parses what it has read at once, up to 64 kB, which may hold thousands of requests.
 */
const defaultMaxWaiting = 20_000;

export interface TurnLimits {
  /** The highest number of waiting requests on all connections. Default: {@link defaultMaxWaiting}. */
  readonly maxWaitingRequests?: number | undefined;
  /** The time without progress after which a connection with waiting requests is closed, in milliseconds. */
  readonly stalledMs?: number | undefined;
}

interface Turns {
  /** The number of requests of the connection that wait. */
  waiting: number;
}

const turnsOf = new WeakMap<Socket, Turns>();
/** The connections whose answer never ends. */
const streaming = new WeakSet<Socket>();

/**
 * Handles the requests of a connection (HTTP pipelining) one after the other: a request is passed to `handle` when the
 * answer before it has been handed to the operating system. Reads no further requests of a connection while one waits,
 * and closes the connection of a request that comes behind an event stream, or that would exceed the limit of waiting
 * requests.
 */
export function inTurn(
  handle: RequestListener,
  { maxWaitingRequests = defaultMaxWaiting, stalledMs = defaultStalledMs }: TurnLimits,
): RequestListener {
  let waiting = 0;
  const turnsOn = (socket: Socket): Turns => {
    const known = turnsOf.get(socket);
    if (known !== undefined) return known;
    const turns = { waiting: 0 };
    turnsOf.set(socket, turns);
    // Node resumes the socket when a body is read.
    socket.on('resume', () => {
      if (turns.waiting > 0) socket.pause();
    });
    socket.once('close', () => {
      waiting -= turns.waiting;
      turns.waiting = 0;
    });
    return turns;
  };
  return (request: IncomingMessage, response: ServerResponse) => {
    // Node gives a response its socket when the response before it has been written.
    if (response.socket !== null) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    if (socket.destroyed) return;
    if (streaming.has(socket) || waiting >= maxWaitingRequests) {
      socket.destroy();
      return;
    }
    const turns = turnsOn(socket);
    if (turns.waiting === 0) socket.setTimeout(stalledMs);
    turns.waiting++;
    waiting++;
    socket.pause();
    // In another turn of the event loop: answers from memory would otherwise keep other connections waiting.
    response.once('socket', () =>
      setImmediate(() => {
        if (socket.destroyed) return;
        turns.waiting--;
        waiting--;
        if (turns.waiting === 0) {
          socket.setTimeout(0);
          socket.resume();
        }
        handle(request, response);
      }),
    );
  };
}

/**
 * Marks the answer to the current request of a connection as one that never ends. Returns false when a further request
 * waits already: its answer would never come.
 */
export function beginStream(socket: Socket): boolean {
  streaming.add(socket);
  return (turnsOf.get(socket)?.waiting ?? 0) === 0;
}
