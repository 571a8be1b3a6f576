import { setImmediate as nextTurn } from 'node:timers/promises';
import type { playgroundRoutes } from '@yardarm/contract';
import { type EvaluationContext, FlagSet } from '@yardarm/evaluation';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { jsonList } from '../../kernel/json-list.ts';
import type { Database } from '../../storage/database.ts';
import type { PreviewRequest } from '../change-requests/index.ts';
import { listEnvironments } from '../environments/index.ts';
import { FeatureQuery, type FlagSets, ifChanged, type ServedFlag, type Snapshot } from '../sdk/index.ts';
import { combinations, countCombinations } from './combinations.ts';
import { explainFeature, type Scene } from './explain-feature.ts';

export interface PlaygroundOptions {
  readonly database: Database;
  readonly snapshot: Snapshot;
  readonly flagSets: FlagSets;
  readonly clock: Clock;
  readonly random: () => number;
  readonly basePath: string;
  readonly preview: PreviewRequest;
}

/** Most evaluations of one request: flags by environments by contexts. */
const maxEvaluations = 20_000;

/** Evaluations in one turn of the event loop, and in one piece of the answer: a few milliseconds of work. */
const evaluationsAtOnce = 50;

export function playgroundHandlers(options: PlaygroundOptions): Handlers<typeof playgroundRoutes> {
  return {
    'POST /api/admin/playground': async ({ body, caller }) => {
      const { environment, projects } = body;
      const { context, invalid } = body.context;
      if (invalid[0] !== undefined) throw badField(`context.${invalid[0]}`, 'must be text');
      await requireEnvironments(options.database, [environment], () => 'environment');
      const [scene] = await scenes(options, [environment]);
      const explain = (flag: ServedFlag) => explainFeature(flag, context, scene as Scene);
      const pages = pagesOf(flagsFor(options.snapshot, projects, caller), 1, explain);
      return { status: 200, body: jsonList({ input: { environment, projects, context } }, 'features', pages) };
    },
    'POST /api/admin/playground/advanced': async ({ body, caller }) => {
      const { projects } = body;
      const environments = [...new Set(body.environments)];
      const { context, invalid } = body.context;
      await requireEnvironments(options.database, environments, (index) => `environments.${index}`);
      const flags = flagsFor(options.snapshot, projects, caller);
      const each = countCombinations(context) * environments.length;
      requireFew(flags.length, each);
      const all = await scenes(options, environments);
      const head = { input: { environments, projects, context }, warnings: { invalidContextProperties: invalid } };
      return { status: 200, body: jsonList(head, 'features', pagesOf(flags, each, explainer(context, all))) };
    },
    'POST /api/admin/playground/change-request/:id': async ({ params, body, caller, request }) => {
      const { preview, snapshot } = options;
      const after = await preview(authorOf(caller, request), params.id, (project) => caller.hidden.has(project));
      const { environment } = after;
      const { context, invalid } = body.context;
      const projects = body.projects ?? [after.project];
      const [now] = await scenes(options, [environment]);
      const { flags: all, segments } = ifChanged(snapshot, after);
      const scene = { ...(now as Scene), all: new FlagSet(all.map((flag) => flag.compiled(environment))), segments };
      const flags = all.filter(({ feature }) => isAskedFor(feature.project, projects, caller));
      const each = countCombinations(context);
      requireFew(flags.length, each);
      const input = { environments: [environment], projects, context };
      const head = { input, warnings: { invalidContextProperties: invalid } };
      return { status: 200, body: jsonList(head, 'features', pagesOf(flags, each, explainer(context, [scene]))) };
    },
  };
}

/** Explains a flag for each combination of a context, in each scene. */
function explainer(context: EvaluationContext, all: readonly Scene[]) {
  const contexts = combinations(context);
  return (flag: ServedFlag) => ({
    name: flag.feature.name,
    projectId: flag.feature.project,
    environments: Object.fromEntries(all.map((scene) => [scene.environment, explainIn(flag, contexts, scene)])),
  });
}

function explainIn(flag: ServedFlag, contexts: readonly EvaluationContext[], scene: Scene) {
  const { environment } = scene;
  return contexts.map((context) => ({ ...explainFeature(flag, context, scene), environment, context }));
}

/** Everything there is in an environment, whoever asks: what is shown is chosen elsewhere. */
function queryOf(environment: string, project?: readonly string[]): FeatureQuery {
  return new FeatureQuery({ environment, projects: ['*'] }, { project }, false);
}

/** The flags asked for, without those of projects that the caller does not see. */
function flagsFor(snapshot: Snapshot, projects: '*' | readonly string[], { hidden }: Identity): ServedFlag[] {
  if (projects !== '*' && projects.length === 0) return [];
  const flags = snapshot.flags(queryOf('', projects === '*' ? undefined : projects));
  return flags.filter(({ feature }) => !hidden.has(feature.project));
}

function isAskedFor(project: string, projects: '*' | readonly string[], { hidden }: Identity): boolean {
  return !hidden.has(project) && (projects === '*' || projects.includes(project));
}

async function scenes(options: PlaygroundOptions, environments: readonly string[]): Promise<Scene[]> {
  const { flagSets, snapshot, clock, random, basePath } = options;
  const { segments } = snapshot;
  const now = clock.now();
  const made: Scene[] = [];
  for (const environment of environments) {
    made.push({ environment, all: await flagSets.of(queryOf(environment)), segments, now, random, basePath });
  }
  return made;
}

async function requireEnvironments(
  { db }: Database,
  names: readonly string[],
  pathOf: (index: number) => string,
): Promise<void> {
  const known = new Set((await listEnvironments(db)).map(({ name }) => name));
  const missing = names.findIndex((name) => !known.has(name));
  if (missing >= 0) throw badField(pathOf(missing), 'must name an environment that there is');
}

function requireFew(flags: number, each: number): void {
  if (Math.max(1, flags) * each <= maxEvaluations) return;
  throw new Problem(
    'BadDataError',
    `This asks for ${flags} flags in ${each} combinations of environments and contexts, which is more than ${maxEvaluations} evaluations. Name fewer projects, environments or values.`,
    { details: [{ message: `must combine to at most ${maxEvaluations} evaluations`, path: 'context' }] },
  );
}

/** Explains flags as the answer is read, a few in each turn; `each` is how many evaluations one of them takes. */
async function* pagesOf(
  flags: readonly ServedFlag[],
  each: number,
  explain: (flag: ServedFlag) => object,
): AsyncGenerator<string[]> {
  const size = Math.max(1, Math.floor(evaluationsAtOnce / each));
  for (let at = 0; at < flags.length; at += size) {
    yield flags.slice(at, at + size).map((flag) => JSON.stringify(explain(flag)));
    await nextTurn();
  }
}
