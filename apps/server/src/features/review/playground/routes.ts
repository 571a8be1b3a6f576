import type { playgroundRoutes } from '@yardarm/contract';
import { type EvaluationBudget, type EvaluationContext, FlagSet } from '@yardarm/evaluation';
import { holdsInForce } from '#features/flags/holds/index.ts';
import { listEnvironments } from '#features/projects/environments/index.ts';
import type { PreviewRequest } from '#features/review/change-requests/index.ts';
import {
  compileFlags,
  type EvaluationBudgets,
  FeatureQuery,
  type FlagSetCache,
  previewChanges,
  randomSessionId,
  type Snapshot,
  type SnapshotFlag,
  WorkSlices,
} from '#features/sdks/sdk/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Clock } from '#kernel/clock.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import { combinations, countCombinations } from './combinations.ts';
import { type EnvironmentState, explainFeature } from './explain-feature.ts';

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

/** Maximum evaluations per request: flags × environments × contexts. */
const maxEvaluations = 20_000;

/** Evaluations per turn of the event loop and per page of the response: a few milliseconds of work. */
const evaluationsAtOnce = 50;

export function playgroundHandlers(options: PlaygroundOptions): Handlers<typeof playgroundRoutes> {
  return {
    'POST /api/admin/playground': async ({ body, caller }) => {
      const { environment, projects } = body;
      const { context, invalid } = body.context;
      if (invalid[0] !== undefined) throw badField(`context.${invalid[0]}`, 'must be text');
      await requireEnvironments(options.database, [environment], () => 'environment');
      const budget = options.budgets.forPlayground();
      const [state] = await environmentStates(options, [environment], budget);
      const slices = new WorkSlices(budget, evaluationsAtOnce);
      const pages = pagesOf(flagsFor(options.snapshot, projects, caller), slices, async (flag) => {
        const text = JSON.stringify(explainFeature(flag, context, state as EnvironmentState));
        await slices.itemDone();
        return text;
      });
      return { body: jsonList({ input: { environment, projects, context } }, 'features', pages) };
    },
    'POST /api/admin/playground/advanced': async ({ body, caller }) => {
      const { projects } = body;
      const environments = [...new Set(body.environments)];
      const { context, invalid } = body.context;
      await requireEnvironments(options.database, environments, (index) => `environments.${index}`);
      const flags = flagsFor(options.snapshot, projects, caller);
      const combinationsPerFlag = countCombinations(context) * environments.length;
      requireFewEvaluations(flags.length, combinationsPerFlag);
      const budget = options.budgets.forPlayground();
      const all = await environmentStates(options, environments, budget);
      const pages = pagesInCombinations(flags, context, all, budget);
      const head = { input: { environments, projects, context }, warnings: { invalidContextProperties: invalid } };
      return { body: jsonList(head, 'features', pages) };
    },
    'POST /api/admin/playground/change-request/:id': async ({ params, body, author, caller }) => {
      const { preview, snapshot } = options;
      const after = await preview(author, params.id, (project) => caller.hidden.has(project));
      const { environment } = after;
      const { context, invalid } = body.context;
      const projects = body.projects ?? [after.project];
      const budget = options.budgets.forPlayground();
      const [now] = await environmentStates(options, [environment], budget);
      const { flags: all, segments } = previewChanges(snapshot, after);
      await compileFlags(all, environment);
      const { held } = after;
      const flagSet = new FlagSet(all.map((flag) => flag.compiled(environment)));
      const state = { ...(now as EnvironmentState), all: flagSet, segments, held };
      const flags = all.filter(({ feature }) => isRequested(feature.project, projects, caller));
      const combinationsPerFlag = countCombinations(context);
      requireFewEvaluations(flags.length, combinationsPerFlag);
      const input = { environments: [environment], projects, context };
      const head = { input, warnings: { invalidContextProperties: invalid } };
      return { body: jsonList(head, 'features', pagesInCombinations(flags, context, [state], budget)) };
    },
  };
}

/** Explains each flag for each combination of a context, in each environment. */
function pagesInCombinations(
  flags: readonly SnapshotFlag[],
  context: EvaluationContext,
  all: readonly EnvironmentState[],
  budget: EvaluationBudget,
): AsyncGenerator<string[]> {
  const slices = new WorkSlices(budget, evaluationsAtOnce);
  return pagesOf(flags, slices, async (flag) => {
    const environments: string[] = [];
    for (const state of all) {
      const texts = await explainCombinations(flag, context, state, slices);
      environments.push(`${JSON.stringify(state.environment)}:[${texts.join(',')}]`);
    }
    const head = JSON.stringify({ name: flag.feature.name, projectId: flag.feature.project });
    return `${head.slice(0, -1)},"environments":{${environments.join(',')}}}`;
  });
}

/** Returns the explanations of a flag in an environment for each combination, as JSON texts. */
async function explainCombinations(
  flag: SnapshotFlag,
  context: EvaluationContext,
  state: EnvironmentState,
  slices: WorkSlices,
): Promise<string[]> {
  const { environment } = state;
  const texts: string[] = [];
  for (const combination of combinations(context)) {
    texts.push(JSON.stringify({ ...explainFeature(flag, combination, state), environment, context: combination }));
    await slices.itemDone();
  }
  return texts;
}

/** Selects all flags of an environment without access checks; callers filter by visibility. */
function queryOf(environment: string, project?: readonly string[]): FeatureQuery {
  return new FeatureQuery({ environment, projects: ['*'] }, { project }, false);
}

/** Returns the flags of the requested projects that the caller may see. */
function flagsFor(snapshot: Snapshot, projects: '*' | readonly string[], { hidden }: Identity): SnapshotFlag[] {
  if (projects !== '*' && projects.length === 0) return [];
  const flags = snapshot.flags(queryOf('', projects === '*' ? undefined : projects));
  return flags.filter(({ feature }) => !hidden.has(feature.project));
}

function isRequested(project: string, projects: '*' | readonly string[], { hidden }: Identity): boolean {
  return !hidden.has(project) && (projects === '*' || projects.includes(project));
}

async function environmentStates(
  options: PlaygroundOptions,
  environments: readonly string[],
  budget: EvaluationBudget,
): Promise<EnvironmentState[]> {
  const { database, flagSets, snapshot, clock, random, basePath } = options;
  const held = await holdsInForce(database.db, environments);
  const { segments } = snapshot;
  const now = clock.now();
  const sessionId = randomSessionId(random);
  const states: EnvironmentState[] = [];
  for (const environment of environments) {
    const all = await flagSets.of(queryOf(environment));
    states.push({
      environment,
      all,
      segments,
      held,
      now,
      random,
      sessionId,
      budget,
      disabled: new WeakMap(),
      basePath,
    });
  }
  return states;
}

async function requireEnvironments(
  { db }: Database,
  names: readonly string[],
  pathOf: (index: number) => string,
): Promise<void> {
  const known = new Set((await listEnvironments(db)).map(({ name }) => name));
  const missing = names.findIndex((name) => !known.has(name));
  if (missing >= 0) throw badField(pathOf(missing), `must be an existing environment, not ${names[missing]}`);
}

function requireFewEvaluations(flags: number, combinationsPerFlag: number): void {
  if (Math.max(1, flags) * combinationsPerFlag <= maxEvaluations) return;
  throw new Problem(
    'BadDataError',
    `The request has ${flags} flags in ${combinationsPerFlag} combinations of environments and contexts, more than ${maxEvaluations} evaluations. Use fewer projects, environments or values.`,
    { details: [{ message: `must combine to at most ${maxEvaluations} evaluations`, path: 'context' }] },
  );
}

/** Explains flags while the response is read; a page holds the flags of one slice of work. */
async function* pagesOf(
  flags: readonly SnapshotFlag[],
  slices: WorkSlices,
  explain: (flag: SnapshotFlag) => Promise<string>,
): AsyncGenerator<string[]> {
  let page: string[] = [];
  let finished = slices.finished;
  for (const flag of flags) {
    page.push(await explain(flag));
    if (slices.finished === finished) continue;
    yield page;
    page = [];
    finished = slices.finished;
  }
  yield page;
}
