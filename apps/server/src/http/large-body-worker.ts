import { parentPort, workerData } from 'node:worker_threads';
import { largeBodyBounds, type RouteSpec, routes } from '@yardarm/contract';
import { Problem } from '#kernel/errors.ts';
import type { LargeBodyAnswer, LargeBodyData } from './large-bodies.ts';
import { parseRouteBody } from './parse.ts';
import { splitValue, type ValueChunk } from './value-chunks.ts';

// Worker thread that parses and validates one large body. It sends the value in chunks, one for each message that it
// receives, so that copying the value does not block the main thread.

const { key, body } = workerData as LargeBodyData;
const answers = answer();
parentPort?.on('message', () => parentPort?.postMessage(answers.next().value satisfies LargeBodyAnswer));

function* answer(): Generator<LargeBodyAnswer, LargeBodyAnswer> {
  let pieces: Iterable<ValueChunk>;
  try {
    const spec = (routes as Readonly<Record<string, RouteSpec>>)[key] as RouteSpec;
    pieces = splitValue(parseRouteBody(spec, Buffer.from(body), largeBodyBounds));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { problem: { name: error.name, message: error.message, details: error.details } };
  }
  for (const piece of pieces) yield { piece };
  return { done: true };
}
