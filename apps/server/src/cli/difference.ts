import { printable } from './printable.ts';

/** A planned change in the server's answer. */
export interface Change {
  readonly type: string;
  readonly kind: string;
  readonly name: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly item: string | null;
  readonly fields: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly warning?: string;
}

/** Returns changes as text: created (+), changed (~) and removed (-) entities, with the fields that change. */
export function describeChanges(changes: readonly Change[]): string {
  return `${describeEntities(changes)}\n\n${summaryOf(changes)}`;
}

/** Returns changes as text without the summary. */
export function describeEntities(changes: readonly Change[]): string {
  const parts = byEntity(changes).map((of) => {
    const [{ kind, name, project }] = of as [Change];
    const where = kind === 'flag' ? ` (${project})` : kind !== 'project' && project !== null ? ` (of ${project})` : '';
    const lines = of.flatMap((change) => describeOne(change)).map((line) => `    ${line}`);
    return [`${signOf(of)} ${kind.replace('-', ' ')} ${name}${where}`, ...lines].map(printable).join('\n');
  });
  return parts.join('\n');
}

/** Returns the numbers of created, changed and archived entities. */
export function summaryOf(changes: readonly Change[]): string {
  const entities = byEntity(changes);
  const count = (sign: string) => entities.filter((of) => signOf(of) === sign).length;
  return `${count('+')} to create, ${count('~')} to change, ${count('-')} to archive.`;
}

function byEntity(changes: readonly Change[]): readonly (readonly Change[])[] {
  return [...Map.groupBy(changes, ({ kind, project, name }) => JSON.stringify([kind, project, name])).values()];
}

function signOf(changes: readonly Change[]): string {
  if (changes.some(({ type }) => isCreation(type))) return '+';
  return changes.some(({ type }) => type.endsWith('-archived')) ? '-' : '~';
}

function isCreation(type: string): boolean {
  return type.endsWith('-created');
}

/** The text of a change by its event type. `@` is replaced by the environment, and `#` by the changed entity. */
const words: Readonly<Record<string, string>> = {
  'project-environment-added': '+ environment @',
  'project-environment-removed': '- environment @',
  'feature-archived': 'is archived',
  'feature-revived': 'comes back from the archive',
  'feature-stale-on': '~ stale',
  'feature-stale-off': '~ no longer stale',
  'feature-tagged': '+ tag #',
  'feature-untagged': '- tag #',
  'feature-link-added': '+ link #',
  'feature-link-updated': '~ link #',
  'feature-link-removed': '- link #',
  'feature-strategy-add': '+ @: strategy #',
  'feature-strategy-update': '~ @: strategy #',
  'feature-strategy-remove': '- @: strategy #',
  'feature-environment-enabled': '~ @: on',
  'feature-environment-disabled': '~ @: off',
  'feature-environment-variants-updated': '~ @: variants',
  'release-plan-added': '+ @: release plan #',
  'release-plan-milestone-started': '~ @: milestone # starts',
  'release-plan-updated': '~ @: strategy of milestone #',
  'release-plan-removed': '- @: release plan #',
  'milestone-progression-created': '+ @: gates of milestone #',
  'milestone-progression-updated': '~ @: gates of milestone #',
  'milestone-progression-deleted': '- @: gates of milestone #',
  'safeguard-changed': '~ @: safeguard #',
  'safeguard-deleted': '- @: safeguard #',
  'release-plan-template-archived': 'is archived',
  'release-plan-template-revived': 'comes back from the archive',
  'feature-dependency-added': '+ depends on #',
  'feature-dependency-removed': '- depends on #',
  'feature-dependencies-removed': '- depends on another flag',
};

/** Event types whose text is complete without a list of the changed fields. */
const short: ReadonlySet<string> = new Set([
  'feature-tagged',
  'feature-untagged',
  'feature-link-removed',
  'feature-strategy-remove',
  'safeguard-deleted',
]);

function describeOne({ type, environment, item, fields, warning }: Change): string[] {
  const head = words[type]?.replace('@', environment ?? '').replace('#', item ?? '');
  const shownFields = fields.filter(({ field }) => !['name', 'url', 'feature'].includes(field) || head === undefined);
  const described = short.has(type) ? [] : shownFields.map((field) => describeField(field));
  const lines = warning === undefined ? described : [...described, `warning: ${warning}`];
  return head === undefined ? lines : [head, ...lines.map((line) => `    ${line}`)];
}

function describeField({ field, before, after }: Change['fields'][number]): string {
  if (before === undefined) return `${field}: ${show(after)}`;
  return `${field}: ${show(before)} → ${after === undefined ? 'nothing' : show(after)}`;
}

function show(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:/@%+ -]+$/.test(value) ? value : JSON.stringify(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? 'none' : value.map((item) => showItem(item)).join('; ');
}

/** Returns an item of a list, such as a constraint or a variant, as text. */
function showItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return show(item);
  const { contextName, operator, inverted, values, value, name, weight } = item as Readonly<Record<string, unknown>>;
  if (typeof contextName === 'string' && typeof operator === 'string') {
    const list = Array.isArray(values) ? values.join(', ') : '';
    return `${contextName} ${inverted === true ? 'not ' : ''}${operator} ${value ?? list}`;
  }
  if (typeof name === 'string' && typeof weight === 'number') return `${name} ${weight / 10} %`;
  return JSON.stringify(item);
}
