import { email, type Installation } from '@yardarm/contract';
import type { TokenAnswer } from './answers.ts';
import { fittedOrder, type Mapping } from './mapping.ts';
import { isExpired } from './notes.ts';
import type { UnleashContent } from './read.ts';

type StrategyType = NonNullable<Installation['strategies']>[number];
type UserAnswer = UnleashContent['users']['users'][number];

const parameterTypes: readonly string[] = ['string', 'percentage', 'list', 'number', 'boolean'];

/** Converts what is not part of a state: environments, custom strategies, tags, users and API tokens. */
export function installationOf(content: UnleashContent, mapping: Mapping, now: number): Installation {
  const { names, fit } = mapping;
  const people = content.users.users.filter(({ accountType }) => accountType !== 'Service Account');
  const roles = new Map(content.users.rootRoles.map(({ id, name }) => [id, name]));
  return {
    environments: content.environments.map(({ name, type, enabled, sortOrder }) => ({
      name: names.environments.of(name),
      type: fit.filled(type, 100, `environment ${name}`, 'other'),
      enabled,
      sortOrder: fittedOrder(sortOrder),
    })),
    strategies: content.strategies.filter(({ editable }) => editable).map((type) => strategyTypeOf(type, mapping)),
    tags: content.tags.map(({ type, value }) => ({ type: names.tagTypes.of(type), value: names.tagValues.of(value) })),
    users: people.map((person) => userOf(person, roles)),
    apiTokens: content.tokens
      .filter((token) => !isExpired(token, now) && token.type !== 'admin' && canMove(token, content, mapping))
      .map((token) => tokenOf(token, mapping)),
  };
}

function strategyTypeOf(
  { name, title, description, deprecated, parameters }: UnleashContent['strategies'][number],
  { names, fit }: Mapping,
): StrategyType {
  const owner = `custom strategy ${name}`;
  return {
    name: names.strategies.of(name),
    title: fit.text(title, 255, owner),
    description: fit.text(description, 4000, owner) ?? '',
    deprecated: deprecated ?? false,
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      type: fit.accepted(
        parameter.type as StrategyType['parameters'][number]['type'],
        parameterTypes.includes(parameter.type),
        'string',
        'Parameters of custom strategies get the type string where their type is unknown',
        owner,
      ),
      description: fit.text(parameter.description, 4000, owner) ?? '',
      required: parameter.required ?? false,
    })),
  };
}

function userOf(
  { username, email: address, name, rootRole }: UserAnswer,
  roles: ReadonlyMap<number, string>,
): NonNullable<Installation['users']>[number] {
  const isAddress = address != null && email.safeParse(address).success;
  const login = visible(username) ?? (isAddress ? undefined : visible(address));
  return {
    ...(login === undefined ? {} : { username: login }),
    ...(isAddress ? { email: address } : {}),
    ...(visible(name) === undefined ? {} : { name: visible(name) }),
    rootRole: roles.get(rootRole) ?? 'Viewer',
  };
}

/** Returns one line of at most 255 characters; undefined for empty text. */
function visible(text: string | null | undefined): string | undefined {
  const line = (text ?? '')
    .replace(/[\p{Cc}\p{Cs}]/gu, '_')
    .trim()
    .slice(0, 255)
    .toWellFormed();
  // No body may contain the name that is a key of every object.
  return line === '' ? undefined : line === '__proto__' ? '_proto_' : line;
}

const tokenTypes: readonly string[] = ['client', 'backend', 'frontend'];

/** Returns whether Yardarm accepts a token: not where it names what Unleash no longer has. Reports the others. */
function canMove(token: TokenAnswer, { projects, environments }: UnleashContent, { fit }: Mapping): boolean {
  const { tokenName, type, environment, expiresAt } = token;
  const isKnown =
    environments.some(({ name }) => name === (environment ?? 'development')) &&
    projectsOf(token).every((id) => id === '*' || projects.some((project) => project.id === id));
  const isTime = expiresAt == null || /^\d{4}-/.test(expiresAt);
  return fit.accepted(
    true,
    isKnown && isTime && tokenTypes.includes(type),
    false,
    'API tokens do not move whose project, environment or type is unknown, or whose expiry is no time up to the year 9999',
    tokenName,
  );
}

function tokenOf(token: TokenAnswer, { names, fit }: Mapping): NonNullable<Installation['apiTokens']>[number] {
  const { tokenName, type, environment, expiresAt } = token;
  return {
    tokenName: fit.filled(tokenName, 255, 'an API token without a name', 'unnamed'),
    type: type as 'client' | 'backend' | 'frontend',
    environment: names.environments.of(environment ?? 'development'),
    projects: projectsOf(token).map((id) => (id === '*' ? id : names.projects.of(id))),
    expiresAt: expiresAt ?? null,
  };
}

/** Returns the projects of a token, `*` alone for all. */
function projectsOf({ projects, project }: TokenAnswer): readonly string[] {
  const listed = projects == null || projects.length === 0 ? [project ?? '*'] : projects;
  return listed.includes('*') ? ['*'] : listed;
}
