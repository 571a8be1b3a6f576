import { clientDeltaSchema } from '@yardarm/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Db } from '#storage/tx.ts';
import type { ApiClient } from '#testing/client.ts';
import { freshName } from '#testing/flags.ts';
import { randomStep, type Step, takeStep } from '#testing/random-changes.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';

/** Reads all rows from which SDK answers are built. */
async function readTables(db: Db) {
  const segments = await db.selectFrom('segments').selectAll().orderBy('id').execute();
  return {
    flags: await db.selectFrom('features').selectAll().where('archived_at', 'is', null).execute(),
    states: await db.selectFrom('feature_environments').selectAll().execute(),
    strategies: await db.selectFrom('feature_strategies').selectAll().execute(),
    tags: await db.selectFrom('feature_tags').selectAll().execute(),
    links: await db.selectFrom('feature_strategy_segments').selectAll().orderBy('segment_id').execute(),
    segments: segments.map(({ id, name, constraints }) => ({ id, name, constraints: JSON.parse(constraints) })),
    variants: await db.selectFrom('feature_variants').selectAll().execute(),
    dependencies: await db.selectFrom('feature_dependencies').selectAll().execute(),
  };
}

/** Computes the expected answer from the rows, without using any of the code under test. */
function rebuild(tables: Awaited<ReturnType<typeof readTables>>, view: View): Served {
  const { flags, states, strategies, tags, links, segments, variants, dependencies } = tables;
  const { environment, scope: projects, tag, apart } = view;
  const idsOf = (strategy: string) =>
    links.filter(({ strategy_id }) => strategy_id === strategy).map(({ segment_id }) => segment_id);
  const used = new Set<number>();
  const features = flags
    .filter(({ project }) => projects.includes(project))
    .filter(({ name }) => tag === undefined || tags.some((row) => row.feature_name === name && row.value === tag))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((flag) => ({
      name: flag.name,
      type: flag.type,
      description: flag.description,
      project: flag.project,
      stale: flag.stale === 1,
      enabled: states.some((s) => s.feature_name === flag.name && s.environment === environment && s.enabled === 1),
      impressionData: flag.impression_data === 1,
      strategies: strategies
        .filter((s) => s.feature_name === flag.name && s.environment === environment && s.disabled === 0)
        .toSorted((a, b) => a.sort_order - b.sort_order || a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
        .map((s) => {
          const ids = idsOf(s.id);
          for (const id of ids) used.add(id);
          const inlined = segments
            .filter(({ id }) => !apart && ids.includes(id))
            .flatMap((segment) => segment.constraints);
          return {
            name: s.name,
            constraints: [...JSON.parse(s.constraints), ...inlined],
            parameters: JSON.parse(s.parameters),
            variants: JSON.parse(s.variants),
            ...(apart && ids.length > 0 ? { segments: ids } : {}),
          };
        }),
      variants: JSON.parse(
        variants.find((v) => v.feature_name === flag.name && v.environment === environment)?.variants ?? '[]',
      ),
      ...dependenciesShown(dependencies.filter(({ child }) => child === flag.name)),
    }));
  return apart ? { features, segments: segments.filter(({ id }) => used.has(id)) } : { features };
}

interface Served {
  readonly features: readonly unknown[];
  readonly segments?: readonly { readonly id: number }[];
}

/** The token's scope and the request of an SDK. */
interface View {
  readonly environment: string;
  readonly scope: readonly string[];
  readonly tag?: string;
  /** Whether the SDK reads segments from a separate list. */
  readonly apart?: boolean;
}

function dependenciesShown(rows: readonly { parent: string; enabled: number; variants: string }[]) {
  const dependencies = rows.map(({ parent, enabled, variants }) => ({
    feature: parent,
    enabled: enabled === 1,
    ...(variants === '[]' ? {} : { variants: JSON.parse(variants) }),
  }));
  return dependencies.length === 0 ? {} : { dependencies };
}

/** The state of an SDK that polls deltas. */
class Mirror {
  readonly #features = new Map<string, unknown>();
  readonly #segments = new Map<number, unknown>();
  #etag = '';
  /** The number of full answers received. */
  hydrations = 0;

  get features(): readonly unknown[] {
    return [...this.#features.keys()].toSorted().map((name) => this.#features.get(name));
  }

  /** Returns this SDK's copies of the given segments. */
  segmentsAsIn(segments: readonly { readonly id: number }[]): readonly unknown[] {
    return segments.flatMap(({ id }) => this.#segments.get(id) ?? []);
  }

  async follow(sdk: ApiClient, query: Readonly<Record<string, string>>): Promise<void> {
    const reply = await sdk.call('GET /api/client/delta', { query, headers: { 'if-none-match': this.#etag } });
    if (reply.status === 304) return;
    const { events } = clientDeltaSchema.parse(reply.json);
    for (const event of events) this.#take(event);
    this.#etag = reply.headers.get('etag') ?? '';
    expect(this.#etag).toMatch(new RegExp(`^"${events.at(-1)?.eventId}:[0-9a-f]+"$`));
    expect(events.map(({ eventId }) => eventId)).toEqual(
      events.map(({ eventId }) => eventId).toSorted((a, b) => a - b),
    );
  }

  #take(event: z.infer<typeof clientDeltaSchema>['events'][number]): void {
    if (event.type === 'hydration') {
      this.hydrations++;
      this.#features.clear();
      this.#segments.clear();
      for (const feature of event.features) this.#features.set(feature.name, feature);
      for (const segment of event.segments) this.#segments.set(segment.id, segment);
    } else if (event.type === 'feature-updated') this.#features.set(event.feature.name, event.feature);
    else if (event.type === 'feature-removed') this.#features.delete(event.featureName);
    else if (event.type === 'segment-updated') this.#segments.set(event.segment.id, event.segment);
    else this.#segments.delete(event.segmentId);
  }
}

describe('SDK answers after random changes', () => {
  const server = useServer();

  it('equal a rebuild from the database, and their ETag changes whenever they do', async () => {
    const projects = [freshName('project'), freshName('project')];
    for (const id of projects) await server().admin.request('POST', '/api/admin/projects', { body: { id, name: id } });
    const segments = [await givenSegment(server()), await givenSegment(server())];
    const views = await Promise.all(
      [
        { environment: 'development', scope: projects },
        { environment: 'development', scope: projects, apart: true },
        { environment: 'production', scope: projects },
        { environment: 'development', scope: projects.slice(0, 1) },
        { environment: 'production', scope: projects, tag: 'tag-1', apart: true },
      ].map(async (view: View) => {
        const { environment, scope } = view;
        const sdk: ApiClient = await givenSdk(server(), { environment, projects: scope });
        return { view, sdk, bodies: new Map<string, string>(), mirror: new Mirror() };
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(randomStep, { minLength: 1, maxLength: 12 }), async (steps) => {
        const names = [0, 1, 2, 3].map(() => freshName('random'));
        const beginning = names.map((_, flag): Step => ({ what: 'create', flag, environment: 'development', n: 0 }));
        for (const [turn, change] of [...beginning, ...steps].entries()) {
          await takeStep(server(), names, projects, segments, change);
          const tables = await readTables(server().app.database.db);
          for (const [index, { view, sdk, bodies, mirror }] of views.entries()) {
            const query: Record<string, string> = view.tag === undefined ? {} : { tag: `simple:${view.tag}` };
            const headers = view.apart === true ? { 'unleash-client-spec': '5.2.0' } : {};
            const reply = await sdk.call('GET /api/client/features', { query, headers });
            const { version: _, query: _query, meta: _meta, ...served } = reply.json;
            expect(served).toEqual(rebuild(tables, view));
            const etag = reply.headers.get('etag') ?? '';
            expect(bodies.get(etag) ?? reply.text).toBe(reply.text);
            bodies.set(etag, reply.text);
            // Each view polls deltas at a different rate.
            if (turn % (index + 1) > 0) continue;
            await mirror.follow(sdk, query);
            const { features, segments: used } = rebuild(tables, { ...view, apart: true });
            expect(mirror.features).toEqual(features);
            expect(mirror.segmentsAsIn(used ?? [])).toEqual(used);
          }
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
    expect(views.map(({ mirror }) => mirror.hydrations)).toEqual(views.map(() => 1));
  });
});
