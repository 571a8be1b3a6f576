import type { TokenAnswer } from './answers.ts';
import type { Names } from './content-names.ts';
import { canMovePattern, canMoveTemplates } from './project-rules.ts';
import type { UnleashContent, UnleashProject } from './read.ts';

/** A note about a difference: something that is renamed or not copied. */
export interface Note {
  readonly message: string;
  readonly items: readonly string[];
}

/** Returns a note in one line; each renamed name is on a line of its own. */
export function describeNote({ message, items }: Note): string {
  if (items.length === 0) return `Note: ${message}.`;
  if (items.some((item) => item.includes(' → ')))
    return [`Note: ${message}:`, ...items.map((item) => `    ${item}`)].join('\n');
  return `Note: ${message}: ${items.join(', ')}.`;
}

type UserAnswer = UnleashContent['users']['users'][number];

/** Returns whether a token has expired. */
export function isExpired({ expiresAt }: TokenAnswer, now: number): boolean {
  return expiresAt != null && Date.parse(expiresAt) <= now;
}

/** Lists what is renamed, left out, or not available from Unleash's API. */
export function notesOf(content: UnleashContent, names: Names, now: number): readonly Note[] {
  const { projects, flags, users, tokens, integrations } = content;
  const several = flags.filter(({ dependencies }) => (dependencies ?? []).length > 1);
  return [
    { message: 'Projects get other ids', items: names.projects.changed },
    { message: 'Environments get other names', items: names.environments.changed },
    { message: 'Flags get other names: change them in the code that asks for them', items: names.flags.changed },
    {
      message: 'Context fields get other names. Constraints keep the old names, because SDKs send them',
      items: names.contextFields.changed,
    },
    { message: 'Segments get other names', items: names.changedSegments },
    { message: 'Types of tags get other names', items: names.tagTypes.changed },
    { message: 'Tags get other values', items: names.tagValues.changed },
    { message: 'Custom strategies get other names: change them in the SDKs', items: names.strategies.changed },
    {
      message: 'Flags depend on several flags, and keep the first of these dependencies',
      items: several.map(({ name }) => name),
    },
    {
      message: 'Flags are completed in Unleash; here their lifecycle begins anew',
      items: flags.filter(({ isCompleted }) => isCompleted).map(({ name }) => name),
    },
    {
      message: 'Users get no password: a link that an administrator makes lets a user set one',
      items: users.users.filter(({ accountType }) => accountType !== 'Service Account').map(nameOfUser),
    },
    {
      message: 'Service accounts do not move',
      items: users.users.filter(({ accountType }) => accountType === 'Service Account').map(nameOfUser),
    },
    {
      message: 'Admin tokens do not move: create personal tokens or service accounts',
      items: tokens.filter(({ type }) => type === 'admin').map(({ tokenName }) => tokenName),
    },
    {
      message: 'Expired API tokens do not move',
      items: tokens
        .filter((token) => token.type !== 'admin' && isExpired(token, now))
        .map(({ tokenName }) => tokenName),
    },
    {
      message: 'Integrations do not move: Unleash does not tell their secrets',
      items: integrations.map(({ provider }) => provider),
    },
    {
      message: 'Default strategies of projects do not move',
      items: projects.filter(hasDefaultStrategy).map(({ id }) => id),
    },
    {
      message: 'Naming patterns do not move where they are invalid or existing flags do not match them',
      items: projects
        .filter((project) => (project.featureNaming?.pattern ?? '') !== '' && !canMovePattern(project, flags, names))
        .map(({ id }) => id),
    },
    {
      message: 'Link templates do not move where they are not http or https URLs, or more than 10',
      items: projects.filter((project) => !canMoveTemplates(project)).map(({ id }) => id),
    },
    {
      message:
        'Unleash does not tell, or this does not move: passwords, secrets of API tokens, archived flags, events, usage, roles of projects, groups, change requests, favourites',
      items: [],
    },
  ].filter(({ items }, index, all) => items.length > 0 || index === all.length - 1);
}

function nameOfUser({ username, email: address, name }: UserAnswer): string {
  return username ?? address ?? name ?? '';
}

function hasDefaultStrategy({ environments }: UnleashProject): boolean {
  return environments.some(({ defaultStrategy }) => defaultStrategy != null);
}
