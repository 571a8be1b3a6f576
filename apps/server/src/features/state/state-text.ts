import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
import { setsOfProjects } from '../actions/index.ts';
import { listFlagNamesByProject, loadFlagDefinitions } from '../flags/index.ts';
import type { Project } from '../projects/index.ts';
import { loadActionNames, stateOfSet } from './action-sets.ts';
import { byText, presentFlag, presentProject, presentShared, record } from './present.ts';
import { loadWorld, type World } from './world.ts';

/** Flags that are in memory at once, and are made into text in one turn of the event loop: a few milliseconds of work. */
const flagsAtOnce = 100;

/** Characters of a piece of the answer, at least. */
const pieceLength = 16_384;

/**
 * Returns the text of projects and what they use, as state that changes nothing when it is applied: those named, or all that
 * the caller may see and are not archived. Flags are read page by page as the text is. Rejects with 404 for a project that
 * does not exist. A constant number of statements for each hundred flags.
 */
export async function stateText(
  db: Db,
  caller: Pick<Identity, 'hidden' | 'can'>,
  ids?: readonly string[],
): Promise<AsyncIterable<string>> {
  const world = await loadWorld(db, caller.hidden);
  const shown = [...world.projects.values()].filter((one) => one.archivedAt === null);
  const missing = ids?.find((id) => !shown.some((one) => one.id === id));
  if (missing !== undefined) throw new Problem('NotFoundError', `There is no project ${missing}.`);
  const projects = shown.filter(({ id }) => ids === undefined || ids.includes(id)).toSorted(byText(({ id }) => id));
  const inside = projects.map(({ id }) => id);
  const flagNames = await listFlagNamesByProject(db, inside);
  // Sets of actions are for administrators to see.
  const sets = caller.can('ADMIN') ? await setsOfProjects(db, inside) : [];
  const names = await loadActionNames(db);
  const setsOf = Map.groupBy(sets, ({ project }) => project);
  const actionsOf = (project: string) => {
    const own = setsOf.get(project);
    return own === undefined
      ? undefined
      : record(
          own,
          ({ name }) => name,
          (set) => stateOfSet(set, names),
        );
  };
  return inPieces(textOf(db, world, { projects, flagNames, actionsOf }));
}

interface Parts {
  /** In the order of their ids. */
  readonly projects: readonly Project[];
  readonly flagNames: ReadonlyMap<string, readonly string[]>;
  readonly actionsOf: (project: string) => object | undefined;
}

async function* textOf(db: Db, world: World, { projects, flagNames, actionsOf }: Parts): AsyncGenerator<string> {
  const inside = new Set(projects.map(({ id }) => id));
  const shared = presentShared(world, ({ project }) => project === null || inside.has(project));
  const flags = flagTexts(db, world, projects, flagNames);
  yield `${open(shared)},"projects":{`;
  let separator = '';
  for (const project of projects) {
    const own = presentProject(project, world.environmentsOf.get(project.id) ?? []);
    yield `${separator}${JSON.stringify(project.id)}:${open(own)},"flags":{`;
    separator = ',';
    let inner = '';
    for (let left = flagNames.get(project.id)?.length ?? 0; left > 0; left--) {
      const { value } = await flags.next();
      if (value === undefined || value === '') continue;
      yield inner + value;
      inner = ',';
    }
    const actions = actionsOf(project.id);
    yield actions === undefined ? '}}' : `},"actions":${JSON.stringify(actions)}}`;
  }
  yield '}}';
}

/**
 * The text of each flag, with its name, in the order of the projects and of the names; empty for one that has left its
 * project since the names were listed.
 */
async function* flagTexts(
  db: Db,
  world: World,
  projects: readonly Project[],
  flagNames: ReadonlyMap<string, readonly string[]>,
): AsyncGenerator<string, undefined> {
  const segmentNames = new Map([...world.segments.values()].map(({ id, name }) => [id, name]));
  const all = projects.flatMap(({ id }) => (flagNames.get(id) ?? []).map((name) => ({ project: id, name })));
  for (let at = 0; at < all.length; at += flagsAtOnce) {
    const page = all.slice(at, at + flagsAtOnce);
    const loaded = await loadFlagDefinitions(
      db,
      page.map(({ name }) => name),
    );
    for (const { project, name } of page) {
      const flag = loaded.get(name);
      const isThere = flag?.feature.project === project && flag.feature.archivedAt === null;
      yield isThere ? `${JSON.stringify(name)}:${JSON.stringify(presentFlag(flag, segmentNames))}` : '';
    }
  }
  return undefined;
}

/** Joins short texts: each piece of an answer costs a system call. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** The JSON of an object that has at least one field, without the bracket that closes it. */
function open(fields: object): string {
  return JSON.stringify(fields).slice(0, -1);
}
