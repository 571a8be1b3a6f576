import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** Returns the recorded answers of an Unleash 8.2 from tests/unleash. */
export function readRecorded(name: 'api-answers' | 'export-development') {
  const file = new URL(`../../../tests/unleash/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
}

/** Returns the body of a recorded answer of the admin API. */
export function recordedAnswer(path: string) {
  const { answers } = readRecorded('api-answers');
  return answers[path].body;
}

/** Answers by path; a path may have a query. */
type Answers = Record<string, { readonly status: number; readonly body: unknown }>;

/** A flag in the recorded answers. */
interface RecordedFlag {
  readonly name: string;
  readonly environments: readonly { readonly name: string; readonly strategies: readonly object[] }[];
}

/** A fake Unleash server on loopback. */
export interface ServedUnleash {
  readonly url: string;
  readonly token: string;
  /** The answers, which tests may change. */
  readonly answers: Answers;
  /** The largest number of flags in one answer of the search, even when `limit` asks for more. */
  pageSize: number;
  /** The names of flags that the search lists as archived, and not otherwise. */
  readonly archived: Set<string>;
  /** The names of flags whose stage is completed. */
  readonly completed: Set<string>;
  /** The bodies of POST requests so far, by path. */
  readonly posted: { readonly path: string; readonly body: unknown }[];
  /** Requests so far, each as `METHOD path`. */
  readonly requests: string[];
  /** Returns the flags in `answers`. */
  flags(): RecordedFlag[];
  stop(): Promise<void>;
}

const flagPath = /^\/api\/admin\/projects\/([^/]+)\/features\/([^/]+)$/;

/**
 * Serves the recorded answers of an Unleash 8.2, and accepts any POST. The search lists the completely recorded flags
 * in the format of the recorded samples. Answers 401 without the token, and 404 for paths that are not recorded.
 */
export async function serveUnleash(): Promise<ServedUnleash> {
  const token = '*:*.of-the-recorded-unleash';
  const answers: Answers = readRecorded('api-answers').answers;
  const requests: string[] = [];
  const posted: { path: string; body: unknown }[] = [];
  const archived = new Set<string>();
  const completed = new Set<string>();
  const whole = (project?: string) =>
    Object.entries(answers).flatMap(([path, { body }]) => {
      const [, id] = flagPath.exec(path) ?? [];
      return id === undefined || (project !== undefined && id !== project) ? [] : [body as RecordedFlag];
    });
  const search = (query: URLSearchParams) => {
    const isArchived = query.get('archived') === 'IS:true';
    const inProject = whole(query.get('project')?.replace(/^IS:/, ''));
    const all = inProject.filter(({ name }) => archived.has(name) === isArchived);
    const from = Number(query.get('offset') ?? 0);
    const size = Math.min(served.pageSize, Number(query.get('limit') ?? 50));
    const features = all.slice(from, from + size).map(({ name, environments }) => ({
      name,
      archivedAt: isArchived ? '2026-11-28T10:00:00.000Z' : null,
      lifecycle: { stage: completed.has(name) ? 'completed' : 'live' },
      tags: (answers[`/api/admin/features/${name}/tags`]?.body as { tags?: unknown } | undefined)?.tags ?? [],
      environments: environments.map((environment) => ({
        name: environment.name,
        variantCount: variantsOf(answers, name, environment.name).length,
      })),
    }));
    return { status: 200, body: { features, total: all.length } };
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://unleash');
    requests.push(`${request.method} ${pathname}`);
    const isSearch = pathname === '/api/admin/search/features';
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== token)
      return answer(401, { name: 'NoAccessError', message: 'You must log in to use Unleash.' });
    if (request.method === 'POST') {
      const body = await readJson(request);
      posted.push({ path: pathname, body });
      return answer(201, body);
    }
    const known = isSearch ? search(searchParams) : answers[decodeURIComponent(pathname)];
    return answer(known?.status ?? 404, known?.body ?? { name: 'NotFoundError' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const served: ServedUnleash = {
    url: `http://127.0.0.1:${port}`,
    token,
    answers,
    pageSize: 100,
    posted,
    archived,
    completed,
    requests,
    flags: () => whole(),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return served;
}

function variantsOf(answers: Answers, name: string, environment: string): readonly unknown[] {
  const path = `/api/admin/projects/default/features/${name}/environments/${environment}/variants`;
  return (answers[path]?.body as { variants?: readonly unknown[] } | undefined)?.variants ?? [];
}
