import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareThroughput } from '../compare.ts';
import { startFloor } from '../floors/start.ts';
import { createInstallation } from '../installation.ts';
import { createRawClient } from '../raw-client.ts';
import type { Scenario } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';

const flags = 1000;
/**
 * This context fails the constraints of each flag's first strategy and passes those of the second, so that both are
 * evaluated.
 */
const path = '/api/frontend?appName=shop&tenant=tenant-of-tests&userId=customer-{{n}}&sessionId=session';

/**
 * Compares requests of browser SDKs, each evaluated for another user, with bare Fastify that sends one user's answer.
 */
export const frontendEvaluation: Scenario = {
  name: 'frontend',
  title: `GET /api/frontend of ${flags} flags, evaluated for each user, against the same bytes without the product`,
  engines: ['sqlite'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: flags, project: 'default', prefix: 'flag-' });
    await using server = await installation.start();
    using client = createRawClient(server.origin, { authorization: installation.frontendToken });
    const { status, body } = await client.send('GET', path.replace('{{n}}', '1'), {});
    const { toggles } = JSON.parse(body.toString()) as { toggles: unknown[] };
    if (status !== 200 || toggles.length === 0)
      throw new Error(`${path} was answered ${status}: ${body.toString().slice(0, 500)}`);
    const file = join(context.workDir, 'frontend.json');
    await writeFile(file, body);
    await using floor = await startFloor('fastify-bytes', { args: ['--file', file] });
    const headers = { authorization: installation.frontendToken };
    const name = `frontend evaluation, ${toggles.length} of ${flags} flags on, ${Math.round(body.length / 1000)} kB`;
    return [
      await compareThroughput(
        context,
        { name, unit: 'answers/s', connections: 16 },
        { name: 'bare Fastify', server: floor, requests: [{ method: 'GET', path: '/', headers }] },
        { server, requests: [{ method: 'GET', path, headers }] },
      ),
      await compareThroughput(
        context,
        { name: 'the same with gzip, against without', unit: 'answers/s', connections: 16 },
        { name: 'not compressed', server, requests: [{ method: 'GET', path, headers }] },
        { server, requests: [{ method: 'GET', path, headers: { ...headers, 'accept-encoding': 'gzip' } }] },
      ),
    ];
  },
};
