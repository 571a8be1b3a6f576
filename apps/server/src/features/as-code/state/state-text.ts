import type { State } from '@yardarm/contract';
import { setsOfProjects } from '#features/automation/actions/index.ts';
import { listFlagNamesByProject, loadFlagDefinitions } from '#features/flags/definitions/index.ts';
import { listRoles } from '#features/people/access/index.ts';
import type { Project } from '#features/projects/projects/index.ts';
import { listTemplates, type Template } from '#features/releases/release-templates/index.ts';
import { unknownProject } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import { newestPosition } from '#storage/log-position.ts';
import type { Db } from '#storage/tx.ts';
import { loadActionNames, stateOfSet } from './action-sets.ts';
import { type CurrentState, loadCurrentState } from './current-state.ts';
import { loadPlans } from './flag-plans.ts';
import { flagText } from './flag-text.ts';
import { byText, type FlagNames, presentProject, presentShared, presentTemplate, record } from './present.ts';
import { loadSafeguards } from './safeguards.ts';

/** The number of flags that are loaded and serialised in one turn of the event loop: a few milliseconds of work. */
const flagsPerPage = 100;

/** The minimum length of a piece of the answer, in characters. */
const pieceLength = 16_384;

/**
 * Returns the text of a state that changes nothing when it is applied: projects and the entities that they use. The
 * projects are those of `ids`, or all that are neither archived nor hidden from the caller. Reads the flags page by
 * page while the text is read, with a constant number of statements for each hundred flags. Rejects with 404 when a
 * project of `ids` does not exist, is archived, or is hidden.
 */
export async function stateText(
  db: Db,
  caller: Pick<Identity, 'hidden' | 'can'>,
  ids?: readonly string[],
): Promise<AsyncIterable<string>> {
  // Read first: a later switch-off is then not taken for one that the state has.
  const { epoch, id: event } = await newestPosition(db);
  const current = await loadCurrentState(db, caller.hidden);
  const shown = [...current.projects.values()].filter(({ archivedAt }) => archivedAt === null);
  const missing = ids?.find((id) => !shown.some((project) => project.id === id));
  if (missing !== undefined) throw unknownProject(missing);
  const projects = shown.filter(({ id }) => ids === undefined || ids.includes(id)).toSorted(byText(({ id }) => id));
  const projectIds = projects.map(({ id }) => id);
  const flagNames = await listFlagNamesByProject(db, projectIds);
  // Only administrators see action sets.
  const sets = caller.can('ADMIN') ? await setsOfProjects(db, projectIds) : [];
  const names = await loadActionNames(db);
  const setsOf = Map.groupBy(sets, ({ project }) => project);
  const actionsOf = (project: string) => {
    const setsOfProject = setsOf.get(project);
    return setsOfProject === undefined
      ? undefined
      : record(
          setsOfProject,
          ({ name }) => name,
          (set) => stateOfSet(set, names),
        );
  };
  const roles = new Map((await listRoles(db)).map(({ id, name }) => [id, name]));
  const templates = await listTemplates(db, false);
  const contents = { pulled: { event, epoch }, projects, flagNames, actionsOf, roles, templates };
  return inPieces(stateTexts(db, current, contents));
}

interface StateContents {
  readonly pulled: NonNullable<State['pulled']>;
  /** Sorted by id. */
  readonly projects: readonly Project[];
  readonly flagNames: ReadonlyMap<string, readonly string[]>;
  readonly actionsOf: (project: string) => object | undefined;
  /** The release templates that are not archived. */
  readonly templates: readonly Template[];
  /** The names of roles by id. */
  readonly roles: FlagNames['roles'];
}

async function* stateTexts(
  db: Db,
  current: CurrentState,
  { pulled, projects, flagNames, actionsOf, roles, templates }: StateContents,
): AsyncGenerator<string> {
  const projectIds = new Set(projects.map(({ id }) => id));
  const isShown = ({ project }: { readonly project: string | null }) => project === null || projectIds.has(project);
  const shared = presentShared(current, isShown);
  const segments = new Map([...current.segments.values()].map(({ id, name }) => [id, name]));
  const releaseTemplates = record(
    templates.filter(usesOnly(shared.segments, segments)).filter(isShown),
    ({ name }) => name,
    (template) => presentTemplate(template, { segments, roles }),
  );
  const flags = flagTexts(db, projects, flagNames, { segments, roles });
  yield `${openJson({ ...shared, pulled, releaseTemplates })},"projects":{`;
  let separator = '';
  for (const project of projects) {
    const own = presentProject(project, current.environmentsOf.get(project.id) ?? []);
    yield `${separator}${JSON.stringify(project.id)}:${openJson(own)},"flags":{`;
    separator = ',';
    let inner = '';
    for (let remaining = flagNames.get(project.id)?.length ?? 0; remaining > 0; remaining--) {
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
 * Yields the text of each flag with its name, sorted by project and name; empty text for a flag that left its project
 * since the names were listed.
 */
async function* flagTexts(
  db: Db,
  projects: readonly Project[],
  flagNames: ReadonlyMap<string, readonly string[]>,
  names: FlagNames,
): AsyncGenerator<string, undefined> {
  const all = projects.flatMap(({ id }) => (flagNames.get(id) ?? []).map((name) => ({ project: id, name })));
  for (let at = 0; at < all.length; at += flagsPerPage) {
    const page = all.slice(at, at + flagsPerPage);
    const pageNames = page.map(({ name }) => name);
    const [loaded, plans, safeguards] = await Promise.all([
      loadFlagDefinitions(db, pageNames),
      loadPlans(db, pageNames),
      loadSafeguards(db, pageNames),
    ]);
    for (const { project, name } of page) {
      const flag = loaded.get(name);
      const isThere = flag?.feature.project === project && flag.feature.archivedAt === null;
      yield isThere ? `${JSON.stringify(name)}:${flagText(flag, { plans, safeguards }, names)}` : '';
    }
  }
  return undefined;
}

/**
 * Returns whether all segments of a template are in the state. Other segments were deleted or are hidden from the
 * caller; a milestone without them would reach more users.
 */
function usesOnly(shown: object, names: FlagNames['segments']): (template: Template) => boolean {
  return ({ milestones }) =>
    milestones.every(({ strategies }) =>
      strategies.every(({ segments }) => segments.every((id) => Object.hasOwn(shown, names.get(id) ?? ''))),
    );
}

/** Joins short texts, because each piece of an answer costs a system call. */
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

/** Returns the JSON of a non-empty object without the closing brace. */
function openJson(fields: object): string {
  return JSON.stringify(fields).slice(0, -1);
}
