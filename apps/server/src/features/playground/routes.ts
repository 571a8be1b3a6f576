import type { playgroundRoutes } from '@yardarm/contract';
import { type EvaluationBudget, type EvaluationContext, FlagSet } from '@yardarm/evaluation';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { jsonList } from '../../kernel/json-list.ts';
import type { Database } from '../../storage/database.ts';
import type { PreviewRequest } from '../change-requests/index.ts';
import { listEnvironments } from '../environments/index.ts';
import { holdsInForce } from '../holds/index.ts';
import {
  compileFlags,
  type EvaluationBudgets,
  FeatureQuery,
  type FlagSetCache,
  previewChanges,
  type Snapshot,
  type SnapshotFlag,
  WorkSlices,
} from '../sdk/index.ts';
import { combinations, countCombinations } from './combinations.ts';
import { explainFeature, type Scene } from './explain-feature.ts';

export interface PlaygroundOptions {
  readonly database: Database;
  readonly snapshot: Snapshot;
  readonly flagSets: FlagSetCache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly budgets: EvaluationBudgets;
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
      const budget = options.budgets.forPlayground();
      const [scene] = await scenes(options, [environment], budget);
      const turns = new WorkSlices(budget, evaluationsAtOnce);
      const pages = pagesOf(flagsFor(options.snapshot, projects, caller), turns, async (flag) => {
        const text = JSON.stringify(explainFeature(flag, context, scene as Scene));
        await turns.itemDone();
        return text;
      });
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
      const budget = options.budgets.forPlayground();
      const all = await scenes(options, environments, budget);
      const pages = pagesInCombinations(flags, context, all, budget);
      const head = { input: { environments, projects, context }, warnings: { invalidContextProperties: invalid } };
      return { status: 200, body: jsonList(head, 'features', pages) };
    },
    'POST /api/admin/playground/change-request/:id': async ({ params, body, caller, request }) => {
      const { preview, snapshot } = options;
      const after = await preview(authorOf(caller, request), params.id, (project) => caller.hidden.has(project));
      const { environment } = after;
      const { context, invalid } = body.context;
      const projects = body.projects ?? [after.project];
      const budget = options.budgets.forPlayground();
      const [now] = await scenes(options, [environment], budget);
      const { flags: all, segments } = previewChanges(snapshot, after);
      await compileFlags(all, environment);
      const { held } = after;
      const flagSet = new FlagSet(all.map((flag) => flag.compiled(environment)));
      const scene = { ...(now as Scene), all: flagSet, segments, held };
      const flags = all.filter(({ feature }) => isAskedFor(feature.project, projects, caller));
      const each = countCombinations(context);
      requireFew(flags.length, each);
      const input = { environments: [environment], projects, context };
      const head = { input, warnings: { invalidContextProperties: invalid } };
      return { status: 200, body: jsonList(head, 'features', pagesInCombinations(flags, context, [scene], budget)) };
    },
  };
}

/** Explains each flag for each combination of a context, in each scene. */
function pagesInCombinations(
  flags: readonly SnapshotFlag[],
  context: EvaluationContext,
  all: readonly Scene[],
  budget: EvaluationBudget,
): AsyncGenerator<string[]> {
  const turns = new WorkSlices(budget, evaluationsAtOnce);
  return pagesOf(flags, turns, async (flag) => {
    const environments: string[] = [];
    for (const scene of all) {
      const texts = await explainCombinations(flag, context, scene, turns);
      environments.push(`${JSON.stringify(scene.environment)}:[${texts.join(',')}]`);
    }
    const head = JSON.stringify({ name: flag.feature.name, projectId: flag.feature.project });
    return `${head.slice(0, -1)},"environments":{${environments.join(',')}}}`;
  });
}

/** The JSON of what a flag is in a scene, for each combination. */
async function explainCombinations(
  flag: SnapshotFlag,
  context: EvaluationContext,
  scene: Scene,
  turns: WorkSlices,
): Promise<string[]> {
  const { environment } = scene;
  const texts: string[] = [];
  for (const one of combinations(context)) {
    texts.push(JSON.stringify({ ...explainFeature(flag, one, scene), environment, context: one }));
    await turns.itemDone();
  }
  return texts;
}

/** Everything there is in an environment, whoever asks: what is shown is chosen elsewhere. */
function queryOf(environment: string, project?: readonly string[]): FeatureQuery {
  return new FeatureQuery({ environment, projects: ['*'] }, { project }, false);
}

/** The flags asked for, without those of projects that the caller does not see. */
function flagsFor(snapshot: Snapshot, projects: '*' | readonly string[], { hidden }: Identity): SnapshotFlag[] {
  if (projects !== '*' && projects.length === 0) return [];
  const flags = snapshot.flags(queryOf('', projects === '*' ? undefined : projects));
  return flags.filter(({ feature }) => !hidden.has(feature.project));
}

function isAskedFor(project: string, projects: '*' | readonly string[], { hidden }: Identity): boolean {
  return !hidden.has(project) && (projects === '*' || projects.includes(project));
}

async function scenes(
  options: PlaygroundOptions,
  environments: readonly string[],
  budget: EvaluationBudget,
): Promise<Scene[]> {
  const { database, flagSets, snapshot, clock, random, basePath } = options;
  const held = await holdsInForce(database.db, environments);
  const { segments } = snapshot;
  const now = clock.now();
  const made: Scene[] = [];
  for (const environment of environments) {
    const all = await flagSets.of(queryOf(environment));
    made.push({ environment, all, segments, held, now, random, budget, disabled: new WeakMap(), basePath });
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

/** Explains flags as the answer is read: in one page those of one turn. */
async function* pagesOf(
  flags: readonly SnapshotFlag[],
  turns: WorkSlices,
  explain: (flag: SnapshotFlag) => Promise<string>,
): AsyncGenerator<string[]> {
  let page: string[] = [];
  let finished = turns.finished;
  for (const flag of flags) {
    page.push(await explain(flag));
    if (turns.finished === finished) continue;
    yield page;
    page = [];
    finished = turns.finished;
  }
  yield page;
}
