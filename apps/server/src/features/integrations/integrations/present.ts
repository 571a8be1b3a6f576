import { presentEvent } from '#features/log/events/index.ts';
import { findAccounts } from '#features/people/access/index.ts';
import { maskedSecret } from '#features/platform/outbound/index.ts';
import { isoTime, timeText } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';
import type { Integration } from './integration.ts';
import { sinks } from './sinks/index.ts';
import type { listAttempted } from './store.ts';

/** Returns the names of the accounts whose events integrations send, by their ids. */
export async function actorNamesOf(
  db: Db,
  integrations: readonly Integration[],
): Promise<ReadonlyMap<number, string | null>> {
  const accounts = await findAccounts(db, [...new Set(integrations.flatMap(({ actors }) => actors))]);
  return new Map(accounts.map(({ id, name, username, email }) => [id, name || username || email]));
}

/** Presents an integration with masked secrets and without the projects that are hidden from the caller. */
export function presentIntegration(
  integration: Integration,
  actorNames: Awaited<ReturnType<typeof actorNamesOf>>,
  hiddenProjects: ReadonlySet<string>,
) {
  const { id, provider, description, enabled, events, environments } = integration;
  const parametersOfKind = sinks.find(({ name }) => name === provider)?.parameters ?? [];
  const isPublic = (name: string) =>
    parametersOfKind.some((parameter) => parameter.name === name && !parameter.sensitive);
  const parameters = Object.entries(integration.parameters).map(([name, value]) => [
    name,
    isPublic(name) ? value : maskedSecret,
  ]);
  return {
    id,
    provider,
    description,
    enabled,
    parameters: Object.fromEntries(parameters) as Record<string, string>,
    events: [...events],
    projects: integration.projects.filter((project) => !hiddenProjects.has(project)),
    environments: [...environments],
    ordered: integration.ordered,
    actors: [...integration.actors],
    actorNames: integration.actors.map((id) => actorNames.get(id) ?? null),
    cause: integration.cause,
  };
}

/** Presents a delivery as Unleash does: a message that waits for a retry has failed so far. */
export function presentAttempted(integrationId: number, row: Awaited<ReturnType<typeof listAttempted>>[number]) {
  const { deliveryId, queuedAt, state, details, attempts, status, nextAttemptAt } = row;
  const retry = nextAttemptAt === null ? '' : ` It is sent again at ${timeText(nextAttemptAt, 'seconds')}.`;
  return {
    id: String(deliveryId),
    integrationId,
    createdAt: isoTime(queuedAt),
    state: state === 'delivered' ? ('success' as const) : ('failed' as const),
    stateDetails: `${details ?? 'The request was sent, and its result is not stored yet.'}${retry}`,
    event: presentEvent(row),
    details: { attempts, status },
  };
}
