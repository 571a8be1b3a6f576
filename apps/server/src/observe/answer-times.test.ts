import * as fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { AnswerTimes, bounds } from './answer-times.ts';

const answer = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  route: fc.constantFrom('/a', '/b/:id'),
  status: fc.constantFrom(200, 304, 500),
  seconds: fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(...bounds)),
});

it('tells what a histogram of the metrics library would tell', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answer), async (answers) => {
      const registry = new Registry();
      const labelNames = ['method', 'route', 'status'];
      const theirs = new Histogram({ name: 'x', help: 'y', labelNames, buckets: [...bounds], registers: [registry] });
      const ours = new AnswerTimes('x', 'y');
      for (const { method, route, status, seconds } of answers) {
        theirs.observe({ method, route, status: String(status) }, seconds);
        ours.observe(method, route, status, seconds);
      }
      const linesOf = (text: string) => text.trim().split('\n').toSorted();
      expect(linesOf(ours.text())).toEqual(linesOf(await registry.metrics()));
    }),
  );
});
