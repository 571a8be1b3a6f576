import { handledRoutes, type RouteKey, type RouteSpec, type Routes } from '@yardarm/contract';
import { type Call, methodAndPath, type Reply } from '../../apps/server/testing/client.ts';
import { TestClock } from '../../apps/server/testing/clock.ts';
import { clientOf, type Scenario } from '../../apps/server/testing/scenario.ts';
import { createStorage, startServer } from '../../apps/server/testing/server.ts';
import { createSnsSender } from '../../apps/server/testing/sns.ts';
import type { RouteExample } from '../../docs/pages/route-examples.ts';
import { readable } from './readable-examples.ts';
import { loadScenarios } from './scenarios.ts';

/** The time of the recorded answers. */
const at = Date.parse('2026-11-02T09:00:00Z');
/** An example that is longer than this gives way to a shorter one of its route. Characters of JSON. */
const readableLength = 3000;

/** The length of an answer that is not kept whole, such as a document that describes all routes. */
const tooLong = 200_000;
/** The number of characters that are kept of it. */
const startOfLongAnswer = 600;

/**
 * Runs scenarios of each route whose key contains a text, each on a server of its own. Returns an example of each of
 * these routes, of the scenario that is marked as one if any is.
 */
export async function recordExamples(part: string): Promise<Readonly<Record<string, RouteExample>>> {
  const scenarios = await loadScenarios();
  const examples: Record<string, RouteExample> = {};
  const table = Object.entries(handledRoutes) as [RouteKey & keyof Routes, RouteSpec][];
  for (const [key, spec] of table.filter(([key]) => key.includes(part))) {
    const all = scenarios.filter(({ route, status }) => route === key && status in spec.answers);
    const marked = all.filter(({ isExample }) => isExample);
    const successful = marked.length > 0 ? marked : all;
    const recorded: RouteExample[] = [];
    for (const scenario of successful) {
      const example = await exchange(scenario);
      if (example !== undefined) recorded.push(readable(example));
    }
    const chosen = chooseOf(recorded, key.startsWith('GET '));
    if (chosen !== undefined) examples[key] = chosen;
  }
  return examples;
}

/**
 * Returns the first example that is short enough, or else the shortest. Of several that only read, the longest of those
 * that are short enough: the others may be empty lists.
 */
function chooseOf(examples: readonly RouteExample[], reads: boolean): RouteExample | undefined {
  const byLength = examples.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  const short = (reads ? byLength : examples).find((example) => lengthOf(example) <= readableLength);
  return short ?? byLength.at(-1);
}

const lengthOf = (example: RouteExample) => JSON.stringify(example).length;

/** Returns the exchange of a scenario; undefined when it needs what other scenarios leave on the server. */
async function exchange({
  route,
  as = 'admin',
  call: constant,
  given,
  check,
}: Scenario): Promise<RouteExample | undefined> {
  const storage = await createStorage();
  const clock = new TestClock();
  clock.set(at - clock.now());
  const settings = { signalEndpointsLimit: 100, emailHost: '127.0.0.1', emailSender: 'flags@example.com' };
  const server = await startServer(storage, settings, clock, undefined, createSnsSender().fetchText);
  try {
    const call: Call = { ...constant, ...(await given?.(server)) };
    const client = await clientOf(server, as);
    const [method, path] = methodAndPath(route, call);
    const reply = await client.call(route, call);
    // Some scenarios end in their check what they started for the request.
    if (!(await passes(async () => check?.(reply, server)))) return undefined;
    const example = {
      request: {
        method,
        path,
        ...(call.body === undefined ? {} : { body: call.body }),
        ...(typeof call.raw === 'string' ? { text: call.raw } : {}),
        ...shownHeaders(call.headers ?? {}),
      },
      status: reply.status,
      ...bodyOf(reply),
    };
    const { origin, host } = new URL(server.url);
    const text = JSON.stringify(example).replaceAll(origin, 'https://flags.example.com');
    // The last are servers that a scenario started, such as an identity provider.
    return JSON.parse(
      text.replaceAll(host, 'flags.example.com').replaceAll(/127\.0\.0\.1(:|%3A)\d{4,5}/g, 'example.com'),
    );
  } finally {
    await server.stop();
    await storage.remove();
  }
}

const passes = (check: () => Promise<void>) =>
  check().then(
    () => true,
    () => false,
  );

/** Leaves out what identifies the caller: the pages show how each kind of caller signs in. */
function shownHeaders(headers: Readonly<Record<string, string>>): Partial<RouteExample['request']> {
  const shown = Object.entries(headers).filter(([name]) => !/^(cookie|authorization)$/i.test(name));
  return shown.length === 0 ? {} : { headers: Object.fromEntries(shown) };
}

function bodyOf({ text, headers }: Reply): Pick<RouteExample, 'answer'> {
  if (text === '') return {};
  const isJson = headers.get('content-type')?.startsWith('application/json');
  if (isJson && text.length > tooLong) return { answer: `${text.slice(0, startOfLongAnswer)}…` };
  return { answer: isJson ? JSON.parse(text) : text };
}
