import type { Author } from '../../kernel/actor.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { hidden } from '../outbound/index.ts';
import { type Integration, isOutOfView, tellsOfHidden } from './integration.ts';
import * as store from './store.ts';
import { checkParameters, webhook } from './webhook.ts';

/** What a person says of an integration. */
export type Input = Omit<Integration, 'id' | 'description'> & { readonly description?: string | null | undefined };

/** Most integrations there may be: each of them is told of each event. */
const most = 100;

export async function createIntegration(tx: Tx, input: Input): Promise<Integration> {
  if ((await store.listIntegrations(tx.db)).length >= most)
    throw new Problem('ExceedsLimitError', `The limit of ${most} integrations is reached.`);
  const integration = await store.insertIntegration(tx, { ...input, description: input.description ?? null });
  tx.record({ type: 'addon-config-created', data: eventData(integration) });
  return integration;
}

/** Changes an integration. 409 when it is also told of projects that are hidden from the author. */
export async function changeIntegration(tx: Tx, id: number, input: Input): Promise<Integration> {
  const before = await requireChangeable(tx, id);
  const after = { ...before, ...input, description: input.description ?? null };
  const secretsToo = (one: Integration) => JSON.stringify({ ...eventData(one), ...one });
  if (secretsToo(before) === secretsToo(after)) return before;
  await store.updateIntegration(tx, after, !before.enabled);
  tx.record({ type: 'addon-config-updated', preData: eventData(before), data: eventData(after) });
  return after;
}

/** Deletes an integration. 409 when it is also told of projects that are hidden from the author. */
export async function deleteIntegration(tx: Tx, id: number): Promise<void> {
  const before = await requireChangeable(tx, id);
  await store.deleteIntegration(tx, id);
  tx.record({ type: 'addon-config-deleted', preData: eventData(before) });
}

/** The integration, or a 404, also when it is told of hidden projects alone. */
export async function requireIntegration(
  db: Db,
  { hidden: unseen = nothing }: Pick<Author, 'hidden'>,
  id: number,
): Promise<Integration> {
  const integration = await store.findIntegration(db, id);
  if (integration === undefined || isOutOfView(integration, unseen))
    throw new Problem('NotFoundError', `There is no integration ${id}.`);
  return integration;
}

const nothing: ReadonlySet<string> = new Set();

/** Whoever cannot see all that an integration is told of could not tell what a change takes away, or whom it tells instead. */
async function requireChangeable({ db, by }: Tx, id: number): Promise<Integration> {
  const integration = await requireIntegration(db, by, id);
  if (!tellsOfHidden(integration, by.hidden ?? nothing)) return integration;
  throw new Problem(
    'ConflictError',
    `The integration ${id} is also told of projects that you cannot see. Ask an administrator to change it.`,
  );
}

/**
 * The parameters with what stays of `before`; a 400 for what is wrong with them. Secrets stay only while they go to the same
 * place: else whoever may change an integration could have them sent to themselves.
 */
export function parametersFrom(
  provider: string,
  sent: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  if (provider !== webhook.name) throw badField('provider', `must be ${webhook.name}`);
  const kept = Object.keys(sent).find((name) => name !== 'url' && sent[name] === hidden && name in before);
  if (kept !== undefined && sent['url'] !== hidden && originOf(sent['url']) !== originOf(before['url']))
    throw badField(`parameters.${kept}`, 'must be sent again when the url leads to another host');
  const entries = Object.entries(sent).map(([name, value]) => [name, value === hidden ? (before[name] ?? '') : value]);
  const parameters = Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>;
  checkParameters(parameters);
  return parameters;
}

function originOf(url = ''): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** What events tell of an integration: nothing of its parameters (docs/spec#event-types). */
function eventData({ id, provider, description, enabled, events, projects, environments }: Integration) {
  return { id, provider, description, enabled, events, projects, environments };
}
