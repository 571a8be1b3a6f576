import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allProjects } from '#features/people/token-scopes/index.ts';
import { CountBuffer } from './counts.ts';
import { InstanceBuffer } from './instances.ts';

const hourMs = 60 * 60 * 1000;

describe('the write-behind buffers', () => {
  it('hold a limited number of sums, and report how many were dropped', () => {
    const buffer = new CountBuffer(3, 1000);
    const place = { appName: 'a', environment: 'e', hour: 0, scope: allProjects };
    buffer.add({ ...place, featureName: 'f' }, { yes: 1, no: 0, variants: { x: 1, y: 1 } });
    buffer.add({ ...place, featureName: 'g' }, { yes: 1, no: 0, variants: {} });
    buffer.add({ ...place, featureName: 'f' }, { yes: 1, no: 0, variants: { x: 1, z: 1 } });
    const { counts, dropped } = buffer.take();
    expect(counts).toMatchObject([
      {
        featureName: 'f',
        yes: 2,
        variants: new Map([
          ['x', 2],
          ['y', 1],
        ]),
      },
    ]);
    expect(dropped).toBe(2);
    expect(buffer.take()).toEqual({ counts: [], dropped: 0 });
  });

  it('accept a limited number of different sums per hour', () => {
    const buffer = new CountBuffer(10, 2);
    const add = (featureName: string, hour: number) =>
      buffer.add(
        { appName: 'a', environment: 'e', featureName, hour, scope: allProjects },
        { yes: 1, no: 0, variants: {} },
      );
    for (const name of ['f', 'g', 'made-up']) add(name, hourMs);
    expect(buffer.take()).toMatchObject({ counts: [{ featureName: 'f' }, { featureName: 'g' }], dropped: 1 });
    for (const name of ['f', 'made-up']) add(name, hourMs);
    expect(buffer.take()).toMatchObject({ counts: [{ featureName: 'f' }], dropped: 1 });
    add('made-up', 2 * hourMs);
    expect(buffer.take()).toMatchObject({ counts: [{ featureName: 'made-up' }], dropped: 0 });
  });

  it('hold a limited number of instances', () => {
    const buffer = new InstanceBuffer(1);
    const fields = { sdkVersion: 'v', startedAt: 1, strategies: ['s'], sdkType: 'backend', address: '::1' } as const;
    const instance = { appName: 'a', instanceId: 'i', environment: 'e', scope: allProjects, ...fields };
    buffer.add({ ...instance, seenAt: 5 });
    buffer.add({ ...instance, instanceId: 'j', seenAt: 6 });
    // A failed batch is added again after newer reports.
    buffer.add({ ...instance, sdkVersion: 'old', startedAt: null, strategies: null, address: null, seenAt: 3 });
    expect(buffer.take()).toEqual({ instances: [{ ...instance, seenAt: 5 }], dropped: 1 });
  });

  it('have the same sums after a failed batch is added again', async () => {
    const counts = fc.record({ f: fc.nat(2), yes: fc.nat(1000), no: fc.nat(1000), v: fc.nat(2) });
    await fc.assert(
      fc.property(fc.array(counts), fc.nat(20), (reports, takenAt) => {
        const buffer = new CountBuffer(1000, 1000);
        for (const [index, { f, yes, no, v }] of reports.entries()) {
          buffer.add(
            { featureName: `f${f}`, appName: 'a', environment: 'e', hour: 0, scope: allProjects },
            { yes, no, variants: { [v]: yes } },
          );
          if (index !== takenAt) continue;
          for (const count of buffer.take().counts)
            buffer.add(count, { ...count, variants: Object.fromEntries(count.variants) });
        }
        const total = (pick: (report: (typeof reports)[number]) => number) =>
          reports.reduce((sum, report) => sum + pick(report), 0);
        const taken = buffer.take().counts;
        expect(taken.reduce((sum, count) => sum + count.yes, 0)).toBe(total(({ yes }) => yes));
        expect(taken.reduce((sum, count) => sum + count.no, 0)).toBe(total(({ no }) => no));
        const inVariants = taken.flatMap((count) => [...count.variants.values()]);
        expect(inVariants.reduce((sum, value) => sum + value, 0)).toBe(total(({ yes }) => yes));
      }),
    );
  });
});
