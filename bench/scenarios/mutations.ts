import { closedLoad } from '../compare.ts';
import { startFloor } from '../floors/start.ts';
import { createInstallation } from '../installation.ts';
import { interleave } from '../interleave.ts';
import { measureLoad, throughput } from '../load/throughput.ts';
import type { Scenario } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';

const connections = 8;
/**
 * Ten times what Unleash 8 did at its best, 119/s, on the machine of the design, where this echo reached 35,000/s at its best.
 * It does not run here, so what it would do on this machine is told by the echo.
 */
const mustPerEcho = (10 * 119) / 35_000;

/** People and scripts changing flags, eight at a time, each a flag of its own. */
export const mutations: Scenario = {
  name: 'mutations',
  title: 'flags switched on and off over the administration API',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: 1000, project: 'default', prefix: 'flag-' });
    await using server = await installation.start();
    const flag = '/api/admin/projects/default/features/flag-{{connection}}/environments/development';
    const headers = { authorization: installation.adminToken };
    const requests = ['off', 'on'].map((state) => ({ method: 'POST', path: `${flag}/${state}`, headers }));
    const job = { ...closedLoad(context, connections), origin: server.origin, requests };
    await using echo = await startFloor('node-echo');
    const kilobyte = { method: 'POST', path: '/', body: JSON.stringify('x'.repeat(1022)) };
    const echoes = { ...closedLoad(context, 50), origin: echo.origin, requests: [kilobyte] };
    // One that has just started is slower for its first ten thousand changes, which is not what is asked here.
    await measureLoad({ ...job, durationMs: context.ms(10_000) }, [200], context.say);
    const latencies: unknown[] = [];
    const compared = await interleave(
      context.rounds,
      () => throughput(echoes, [200], context.say),
      async () => {
        const { perSecond, latency } = await measureLoad(job, [200], context.say);
        latencies.push(latency);
        return perSecond;
      },
    );
    return [
      {
        name: 'flags switched, 8 at a time',
        unit: 'changes/s',
        value: compared.value,
        floor: { name: 'node:http echo', value: compared.floor },
        ratio: compared.ratio,
        range: compared.range,
        must: { of: 'ratio', atLeast: mustPerEcho },
        detail: { rounds: compared.rounds, latencies },
      },
    ];
  },
};
