import { isDeepStrictEqual } from 'node:util';
import type { State } from '@yardarm/contract';
import { foldCase } from '#kernel/fold-case.ts';
import type { Remote } from '../remote.ts';
import type { Move } from './move.ts';
import type { Note } from './notes.ts';
import type { UnleashContent } from './read.ts';

type Fields = Readonly<Record<string, unknown>>;
type Named = Fields & { readonly name: string };
type Person = Readonly<Record<'username' | 'email' | 'name', string | null | undefined>>;

/** The parts of this Yardarm that a move compares with Unleash. */
interface Here {
  readonly state: State;
  readonly environments: readonly Named[];
  /** The custom strategies. */
  readonly strategies: readonly Named[];
  readonly users: readonly (Person & { readonly rootRole: number })[];
  readonly rootRoles: readonly { readonly id: number; readonly name: string }[];
  readonly apiTokens: readonly { readonly tokenName: string }[];
  readonly lifetimes: ReadonlyMap<string, number | null>;
  readonly frontendApiOrigins: readonly string[];
}

/** Reads what a move compares with Unleash. */
export async function readHere(remote: Remote): Promise<Here> {
  const { environments } = (await remote.call('GET /api/admin/environments')) as Pick<Here, 'environments'>;
  const { strategies } = (await remote.call('GET /api/admin/strategies')) as Pick<Here, 'strategies'>;
  const { users, rootRoles } = (await remote.call('GET /api/admin/user-admin')) as Pick<Here, 'users' | 'rootRoles'>;
  const { tokens } = (await remote.call('GET /api/admin/api-tokens')) as { tokens: Here['apiTokens'] };
  const { types } = (await remote.call('GET /api/admin/feature-types')) as Pick<UnleashFlagTypes, 'types'>;
  const settings = (await remote.call('GET /api/admin/ui-config')) as Pick<Here, 'frontendApiOrigins'>;
  return {
    state: (await remote.call('GET /api/admin/state')) as State,
    environments,
    strategies: strategies.filter(({ editable }) => editable === true),
    users,
    rootRoles,
    apiTokens: tokens,
    lifetimes: new Map(types.map(({ id, lifetimeDays }) => [id, lifetimeDays ?? null])),
    frontendApiOrigins: settings.frontendApiOrigins,
  };
}

interface UnleashFlagTypes {
  readonly types: UnleashContent['flagTypes'];
}

/**
 * Lists what a move leaves as it is here: flags that are archived in Unleash unless `archives`, objects that are only
 * here, and objects that differ.
 */
export function differencesOf(move: Move, content: UnleashContent, here: Here, archives: boolean): readonly Note[] {
  const flags = flagsOf(here.state);
  const archived = move.archivedFlags.filter((name) => flags.has(name));
  return [
    {
      message: 'Flags are archived in Unleash, and stay here. The option --archive archives them',
      items: archives ? [] : archived,
    },
    ...onlyHere(move, here),
    ...differing(move, here),
    { message: 'Differs and stays: expected lifetimes of flag types', items: lifetimes(content, here) },
    { message: 'Differs and stays: allowed origins of the frontend API', items: origins(content, here) },
    {
      message: 'Only in Unleash: root roles',
      items: content.users.rootRoles
        .map(({ name }) => name)
        .filter((name) => here.rootRoles.every((role) => role.name !== name)),
    },
  ].filter(({ items }) => items.length > 0);
}

function flagsOf({ projects = {} }: State): ReadonlySet<string> {
  return new Set(Object.values(projects).flatMap(({ flags = {} }) => Object.keys(flags)));
}

function onlyHere({ state, installation, archivedFlags }: Move, here: Here): Note[] {
  const { environments = [], strategies = [], users = [], apiTokens = [] } = installation;
  const keys = (record: object | undefined) => Object.keys(record ?? {});
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const tokenNames = (list: readonly { readonly tokenName: string }[]) => list.map(({ tokenName }) => tokenName.trim());
  const kinds: readonly (readonly [string, Iterable<string>, Iterable<string>])[] = [
    ['projects', keys(here.state.projects), keys(state.projects)],
    ['flags', flagsOf(here.state), [...flagsOf(state), ...archivedFlags]],
    ['segments', keys(here.state.segments), keys(state.segments)],
    ['context fields', keys(here.state.contextFields), keys(state.contextFields)],
    ['tag types', keys(here.state.tagTypes), keys(state.tagTypes)],
    ['environments', names(here.environments), names(environments)],
    ['custom strategies', names(here.strategies), names(strategies)],
    ['API tokens', tokenNames(here.apiTokens), tokenNames(apiTokens)],
  ];
  const persons = here.users.filter((user) => users.every((other) => !isSamePerson(user, other)));
  return [
    ...kinds.map(([kind, present, moved]) => {
      const known = new Set(moved);
      return { message: `Only here, and stays: ${kind}`, items: [...present].filter((name) => !known.has(name)) };
    }),
    { message: 'Only here, and stays: users', items: persons.map(loginOf) },
  ];
}

function differing({ installation: { environments = [], strategies = [], users = [] } }: Move, here: Here): Note[] {
  const compared = (there: readonly Named[], present: readonly Named[]) =>
    there.flatMap((object) => {
      const other = present.find(({ name }) => name === object.name);
      return other === undefined ? [] : fieldsThatDiffer(object.name, object, other);
    });
  const roles = new Map(here.rootRoles.map(({ id, name }) => [id, name]));
  const ofUsers = users.flatMap((user) => {
    const present = here.users.find((other) => isSamePerson(user, other));
    if (present === undefined) return [];
    const { username, email, name = null, rootRole } = user;
    const { rootRole: role, ...fields } = present;
    const there = { ...(username && { username }), ...(email && { email }), name, rootRole };
    return fieldsThatDiffer(loginOf(user), there, { ...fields, name: fields.name ?? null, rootRole: roles.get(role) });
  });
  return [
    { message: 'Differs and stays: environments', items: compared(environments, here.environments) },
    { message: 'Differs and stays: custom strategies', items: compared(strategies, here.strategies) },
    { message: 'Differs and stays: users', items: ofUsers },
  ];
}

/** Returns `name (field: value there, value here)` when one of the fields differs. */
function fieldsThatDiffer(name: string, there: Fields, here: Fields): string[] {
  const fields = Object.keys(there).filter((field) => !isDeepStrictEqual(there[field], here[field]));
  const parts = fields.map((field) => `${field}: ${show(there[field])} there, ${show(here[field])} here`);
  return parts.length === 0 ? [] : [`${name} (${parts.join('; ')})`];
}

function show(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function lifetimes({ flagTypes }: UnleashContent, here: Here): string[] {
  const text = (days: number | null | undefined) => (days ? `${days} days` : 'unlimited');
  return flagTypes.flatMap(({ id, lifetimeDays }) => {
    const own = here.lifetimes.get(id);
    if (own === undefined || text(own) === text(lifetimeDays)) return [];
    return [`${id} (${text(lifetimeDays)} there, ${text(own)} here)`];
  });
}

function origins({ frontendApiOrigins }: UnleashContent, here: Here): string[] {
  if (frontendApiOrigins === undefined) return [];
  const list = (all: readonly string[]) => (all.length === 0 ? '*' : all.toSorted().join(' '));
  const [there, own] = [list(frontendApiOrigins), list(here.frontendApiOrigins)];
  return there === own ? [] : [`${there} there, ${own} here`];
}

/** Compares as the server does: by user name and e-mail address, without the case of A to Z. */
function isSamePerson(one: Partial<Person>, other: Partial<Person>): boolean {
  const names = namesOf(other);
  return namesOf(one).some((name) => names.includes(name));
}

function namesOf({ username, email }: Partial<Person>): string[] {
  return [username, email].flatMap((name) => (name == null ? [] : [foldCase(name)]));
}

function loginOf({ username, email, name }: Partial<Person>): string {
  return username ?? email ?? name ?? '';
}
