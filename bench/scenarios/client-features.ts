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

const path = '/api/client/features';
/** SDKs request the first or the second, depending on their HTTP client. */
const encodings = ['identity', 'gzip', 'br'] as const;
const flags = 1000;

/** Compares polls of SDKs with bare Fastify that sends the same bytes. */
export const clientFeatures: Scenario = {
  name: 'client-features',
  title: `GET ${path} of ${flags} flags, against the same bytes without the product`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: flags, project: 'default', prefix: 'flag-' });
    await using server = await installation.start();
    using client = createRawClient(server.origin, { authorization: installation.backendToken });
    const findings: Finding[] = [];
    for (const encoding of encodings) {
      const answer = await client.send('GET', path, { 'accept-encoding': encoding });
      assertWhole(answer, encoding);
      findings.push(...(await compare(context, server, installation.backendToken, encoding, answer)));
    }
    return findings;
  },
};

function assertWhole({ status, headers, body }: RawAnswer, encoding: (typeof encodings)[number]): void {
  const got = headers['content-encoding'] ?? 'identity';
  if (status === 200 && got === encoding) return;
  throw new Error(
    `Asked for ${encoding}, ${path} was answered ${status} with ${got}: ${body.toString().slice(0, 500)}`,
  );
}

async function compare(
  context: ScenarioContext,
  server: RunningServer,
  token: string,
  encoding: (typeof encodings)[number],
  { body, headers: { etag = '' } }: RawAnswer,
): Promise<Finding[]> {
  const file = join(context.workDir, `features.${encoding}`);
  await writeFile(file, body);
  await using floor = await startFloor('fastify-bytes', {
    args: ['--file', file, ...(encoding === 'identity' ? [] : ['--encoding', encoding])],
  });
  const floorTag = (await fetch(floor.origin, { method: 'HEAD' })).headers.get('etag') ?? '';
  const wanted = { authorization: token, 'accept-encoding': encoding };
  const get = (target: string, more: Record<string, string> = {}) => [
    { method: 'GET', path: target, headers: { ...wanted, ...more } },
  ];
  const name = 'bare Fastify';
  const whole = await compareThroughput(
    context,
    {
      name: `client features, ${encoding === 'identity' ? 'plain' : encoding}, ${Math.round(body.length / 1000)} kB`,
      unit: 'answers/s',
      connections: 16,
      must: { of: 'ratio', atLeast: 0.7 },
    },
    { name, server: floor, requests: get('/') },
    { server, requests: get(path) },
  );
  if (encoding !== 'identity') return [whole];
  const notModified = await compareThroughput(
    context,
    {
      name: 'client features, not modified',
      unit: 'answers/s',
      connections: 64,
      status: 304,
      must: { of: 'ratio', atLeast: 0.8 },
    },
    { name, server: floor, requests: get('/', { 'if-none-match': floorTag }) },
    { server, requests: get(path, { 'if-none-match': etag }) },
  );
  return [notModified, whole];
}
