import { join } from 'node:path';
import { closedLoad } from '../compare.ts';
import { createInstallation } from '../installation.ts';
import { interleave } from '../interleave.ts';
import { measureLoad } from '../load/throughput.ts';
import type { Scenario } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import { syncLatency } from '../sync-latency.ts';

const connections = 8;
/** Ten times what Unleash 8 did at its best on the machine of the design. */
const mustPerSecond = 1190;

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
    const latencies: unknown[] = [];
    const most = { writes: context.count(1_000_000), ms: context.ms(1000) };
    const compared = await interleave(
      context.rounds,
      async () => 1000 / syncLatency(join(context.workDir, 'append'), 'append', most).mean,
      async () => {
        const { perSecond, latency } = await measureLoad(job, [200], context.say);
        latencies.push(latency);
        return perSecond;
      },
    );
    return [
      {
        name: 'flags switched, 8 at a time (must depends on the machine)',
        unit: 'changes/s',
        value: compared.value,
        floor: { name: 'appends with fdatasync', value: compared.floor },
        ratio: compared.ratio,
        range: compared.range,
        must: { of: 'value', atLeast: mustPerSecond },
        detail: { rounds: compared.rounds, latencies },
      },
    ];
  },
};
