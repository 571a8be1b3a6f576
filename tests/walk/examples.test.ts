import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { handledRoutes, type Payload, type RouteKey, type RouteSpec } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { RouteExample } from '../../docs/pages/route-examples.ts';
import { recordExamples } from './record-examples.ts';

const file = new URL('../../docs/pages/route-examples.json', import.meta.url);

/**
 * The part of the routes whose examples are recorded from their scenarios; without it, the examples are tested. All of
 * them take three minutes:
 *
 *     RECORD_EXAMPLES= npx vitest run tests/walk/examples.test.ts && npm run docs
 */
const part = process.env.RECORD_EXAMPLES;

if (part !== undefined) {
  it('records an example of each route', async () => {
    const known: Readonly<Record<string, RouteExample>> = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : {};
    const all = { ...known, ...(await recordExamples(part)) };
    const inOrder = Object.keys(handledRoutes).map((key) => [key, all[key]]);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(inOrder), undefined, 1)}\n`);
  }, 900_000);
} else {
  const examples: Readonly<Record<string, RouteExample>> = JSON.parse(readFileSync(file, 'utf8'));

  describe.each(Object.entries(handledRoutes) as [RouteKey, RouteSpec][])('the example of %s', (key, spec) => {
    const example = examples[key];

    it('is a request that the route accepts', () => {
      expect(example, 'is missing: see the top of this file').toBeDefined();
      if (spec.body !== undefined && example?.request.body !== undefined) spec.body.parse(example.request.body);
    });

    it('is an answer of the route', () => {
      const payload: Payload | undefined = spec.answers[example?.status ?? 0];
      expect(payload).toBeDefined();
      if (payload?.kind === 'empty') expect(example?.answer).toBeUndefined();
      else if (payload?.kind === 'text' || payload?.kind === 'events') expect(example?.answer).toBeTypeOf('string');
      // The beginning of a document.
      else if (typeof example?.answer === 'string' && key.startsWith('GET /docs/')) return;
      else payload?.schema.parse(example?.answer);
    });
  });

  it('has an example of no other route', () => {
    expect(Object.keys(examples).sort()).toEqual(Object.keys(handledRoutes).sort());
  });
}
