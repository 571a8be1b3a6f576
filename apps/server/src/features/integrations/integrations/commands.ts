import {
  createSigningKey,
  makeDue,
  type SigningAlgorithm,
  verificationKey,
} from '#features/platform/deliveries/index.ts';
import { isOnLegalHold } from '#features/platform/legal-hold/index.ts';
import { maskedSecret } from '#features/platform/outbound/index.ts';
import type { Author } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { limitReached } from '#kernel/limits.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Integration, includesHiddenProject, isHiddenFrom } from './integration.ts';
import { checkParameters, requireSink } from './sinks/index.ts';
import * as store from './store.ts';

/** The fields of an integration that a caller sets. */
export type IntegrationInput = Omit<Integration, 'id' | 'description' | keyof typeof ownDefaults> & {
  readonly description?: string | null | undefined;
  readonly ordered?: boolean | undefined;
  readonly actors?: readonly number[] | undefined;
  readonly cause?: Integration['cause'] | undefined;
};

/** The fields that Unleash's API does not have, with the values of a new integration. */
const ownDefaults = { ordered: true, actors: [], cause: 'any' } as const;

/** The maximum number of integrations, because each may receive every event. */
const maxIntegrations = 100;

/** Creates an integration with a signing key. Returns the key that its receiver verifies signatures with. */
export async function createIntegration(
  tx: Tx,
  input: IntegrationInput,
  signing: SigningAlgorithm,
): Promise<{ readonly integration: Integration; readonly signingSecret: string }> {
  if ((await store.listIntegrations(tx.db)).length >= maxIntegrations)
    throw limitReached(maxIntegrations, 'integrations', 'Delete one that is no longer used.');
  const integration = await store.insertIntegration(tx, withInput(ownDefaults, input));
  const key = createSigningKey(signing, tx.now);
  await store.saveSigningKeys(tx, integration.id, [key]);
  tx.record({ type: 'addon-config-created', data: eventData(integration) });
  return { integration, signingSecret: verificationKey(key) };
}

/** Changes an integration. Rejects with 409 when it includes projects that are hidden from the author. */
export async function changeIntegration(tx: Tx, id: number, input: IntegrationInput): Promise<Integration> {
  const before = await requireChangeable(tx, id);
  const after = { ...before, ...withInput(before, input) };
  const withSecrets = (integration: Integration) => JSON.stringify({ ...eventData(integration), ...integration });
  if (withSecrets(before) === withSecrets(after)) return before;
  await store.updateIntegration(tx, before, after);
  // The next attempt may be an hour away, and the change may be what the receiver needed, such as a corrected URL.
  await makeDue(tx, id);
  tx.record({ type: 'addon-config-updated', preData: eventData(before), data: eventData(after) });
  return after;
}

function withInput(before: Pick<Integration, keyof typeof ownDefaults>, input: IntegrationInput) {
  return {
    ...input,
    description: input.description ?? null,
    ordered: input.ordered ?? before.ordered,
    actors: input.actors ?? before.actors,
    cause: input.cause ?? before.cause,
  };
}

/**
 * Deletes an integration with the log of its deliveries. Rejects with 409 when it includes projects that are hidden
 * from the author, or while a legal hold is in force.
 */
export async function deleteIntegration(tx: Tx, id: number): Promise<void> {
  const before = await requireChangeable(tx, id);
  if (await isOnLegalHold(tx.db)) {
    const advice = 'The log of its deliveries would be deleted too. Disable it instead.';
    throw new Problem('ConflictError', `A legal hold is in force, so the integration cannot be deleted. ${advice}`);
  }
  await store.deleteIntegration(tx, id);
  tx.record({ type: 'addon-config-deleted', preData: eventData(before) });
}

/** Returns the integration. Rejects with 404 when it does not exist or all its projects are hidden from the caller. */
export async function requireIntegration(
  db: Db,
  { hidden: hiddenProjects = noProjects }: Pick<Author, 'hidden'>,
  id: number,
): Promise<Integration> {
  const integration = await store.findIntegration(db, id);
  if (integration === undefined || isHiddenFrom(integration, hiddenProjects))
    throw new Problem('NotFoundError', `There is no integration ${id}.`);
  return integration;
}

const noProjects: ReadonlySet<string> = new Set();

/**
 * Rejects with 409 when the integration includes projects that the author cannot see, and so cannot judge the change.
 */
export async function requireChangeable({ db, by }: Tx, id: number): Promise<Integration> {
  const integration = await requireIntegration(db, by, id);
  if (!includesHiddenProject(integration, by.hidden ?? noProjects)) return integration;
  throw new Problem(
    'ConflictError',
    `The integration ${id} includes projects that you cannot see. Ask an administrator to change it.`,
  );
}

/**
 * Returns the parameters with the secrets of `integration` where the input has the mask. Throws a 400 when they are
 * invalid. A secret is kept only while the provider stays, because another provider may show the parameter, and the URL
 * names the same host: otherwise a caller could have it sent to a host of their own.
 */
export function parametersFrom(
  provider: string,
  sent: Readonly<Record<string, string>>,
  integration: Pick<Integration, 'provider' | 'parameters'> | undefined,
): Record<string, string> {
  const sink = requireSink(provider);
  const before = integration?.parameters ?? {};
  const masked = Object.keys(sent).filter((name) => sent[name] === maskedSecret && name in before);
  const [first] = masked;
  if (first !== undefined && integration?.provider !== provider)
    throw badField(`parameters.${first}`, 'must be sent again when the provider changes');
  const maskedName = masked.find((name) => name !== 'url');
  if (maskedName !== undefined && sent['url'] !== maskedSecret && originOf(sent['url']) !== originOf(before['url']))
    throw badField(`parameters.${maskedName}`, 'must be sent again when the url names another host');
  const entries = Object.entries(sent).map(([name, value]) => [
    name,
    value === maskedSecret ? (before[name] ?? '') : value,
  ]);
  const parameters = Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>;
  checkParameters(sink, parameters);
  return parameters;
}

/** Returns protocol, host and port of a URL. Its `origin` is `null` for protocols such as `rediss:` and `nats:`. */
function originOf(url = ''): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Returns the fields of an integration that events record: no parameters (docs/spec#event-types). */
function eventData(integration: Integration) {
  const { id, provider, description, enabled, events, projects, environments, ordered, actors, cause } = integration;
  return { id, provider, description, enabled, events, projects, environments, ordered, actors, cause };
}
