import * as fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { bounds, RequestHistogram } from './request-histogram.ts';

const answer = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom('/a', '/b/:id', '/alias'),
  status: fc.constantFrom(200, 304, 500),
  seconds: fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(...bounds)),
});

it('returns the same text as a histogram of prom-client', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answer), async (answers) => {
      const registry = new Registry();
      const labelNames = ['method', 'route', 'status', 'alias'];
      const theirs = new Histogram({ name: 'x', help: 'y', labelNames, buckets: [...bounds], registers: [registry] });
      const ours = new RequestHistogram('x', 'y');
      for (const { method, route, status, seconds } of answers) {
        const isAlias = route === '/alias';
        theirs.observe({ method, route, status: String(status), ...(isAlias ? { alias: 'true' } : {}) }, seconds);
        ours.observe(method, route, status, seconds, isAlias);
      }
      const linesOf = (text: string) => text.trim().split('\n').toSorted();
      expect(linesOf(ours.text())).toEqual(linesOf(await registry.metrics()));
    }),
  );
});
