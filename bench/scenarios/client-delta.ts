import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareThroughput } from '../compare.ts';
import { startFloor } from '../floors/start.ts';
import { createInstallation } from '../installation.ts';
import { createRawClient, type RawAnswer } from '../raw-client.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';

const path = '/api/client/delta';
const toggle = '/api/admin/projects/default/features/flag-0/environments/development/off';

/** Compares delta requests of SDKs (all flags, one change, and mostly 304) with bare Fastify. */
export const clientDelta: Scenario = {
  name: 'client-delta',
  title: `GET ${path} of 1,000 flags, against the same bytes without the product`,
  engines: ['sqlite'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: 1000, project: 'default', prefix: 'flag-' });
    await using server = await installation.start();
    using sdk = createRawClient(server.origin, { authorization: installation.backendToken });
    using admin = createRawClient(server.origin, { authorization: installation.adminToken });
    const before = await answerOf(sdk.send('GET', path), 200);
    const known = before.headers.etag ?? '';
    await answerOf(admin.send('POST', toggle), 200);
    const requests = [
      { name: 'all flags, plain', headers: {}, must: 0.7 },
      { name: 'all flags, gzip', headers: { 'accept-encoding': 'gzip' }, must: 0.7 },
      { name: 'one flag changed', headers: { 'if-none-match': known } },
    ];
    const findings: Finding[] = [];
    for (const request of requests) {
      const answer = await answerOf(sdk.send('GET', path, request.headers), 200);
      findings.push(await compare(context, server, installation.backendToken, { ...request, answer, status: 200 }));
    }
    const etag = (await answerOf(sdk.send('GET', path), 200)).headers.etag ?? '';
    const headers = { 'if-none-match': etag };
    const answer = await answerOf(sdk.send('GET', path, headers), 304);
    return [
      await compare(context, server, installation.backendToken, {
        name: 'not modified',
        headers,
        answer,
        status: 304,
        must: 0.8,
      }),
      ...findings,
    ];
  },
};

async function answerOf(sent: Promise<RawAnswer>, status: number): Promise<RawAnswer> {
  const answer = await sent;
  if (answer.status === status) return answer;
  throw new Error(`${path} was answered ${answer.status}: ${answer.body.toString().slice(0, 500)}`);
}

interface Case {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: RawAnswer;
  readonly status: 200 | 304;
  /** The lowest allowed ratio to the answers per second of the bare server that it is compared with (the floor). */
  readonly must?: number;
}

async function compare(
  context: ScenarioContext,
  server: RunningServer,
  authorization: string,
  { name, headers, answer, status, must }: Case,
): Promise<Finding> {
  const file = join(context.workDir, `delta ${name}`);
  // For a 304 the floor needs some content as well, but does not send it.
  await writeFile(file, answer.body.length === 0 ? 'nothing' : answer.body);
  const encoding = answer.headers['content-encoding'];
  await using floor = await startFloor('fastify-bytes', {
    args: ['--file', file, ...(encoding === undefined ? [] : ['--encoding', encoding])],
  });
  const floorTag = (await fetch(floor.origin, { method: 'HEAD' })).headers.get('etag') ?? '';
  const get = (target: string, more: Readonly<Record<string, string>>) => [
    { method: 'GET', path: target, headers: { authorization, ...more } },
  ];
  const floorHeaders = { ...headers, ...(status === 304 ? { 'if-none-match': floorTag } : { 'if-none-match': '""' }) };
  // `return await`, because the floor is stopped when the function returns.
  return await compareThroughput(
    context,
    {
      name: `delta, ${name}${status === 304 ? '' : `, ${Math.ceil(answer.body.length / 1000)} kB`}`,
      unit: 'answers/s',
      connections: status === 304 ? 64 : 16,
      status,
      ...(must === undefined ? {} : { must: { of: 'ratio', atLeast: must } }),
    },
    { name: 'bare Fastify', server: floor, requests: get('/', floorHeaders) },
    { server, requests: get(path, headers) },
  );
}
