import { isoTime } from '../../kernel/clock.ts';
import { presentEvent } from '../events/index.ts';
import { hidden } from '../outbound/index.ts';
import type { Integration, Outcome } from './integration.ts';
import type { listDeliveries } from './store.ts';
import { webhook } from './webhook.ts';

/** An integration without its secrets, and without projects that are hidden from whoever asks. */
export function presentIntegration(integration: Integration, unseen: ReadonlySet<string>) {
  const { id, provider, description, enabled, events, environments } = integration;
  const secret = new Set<string>(webhook.parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name));
  const parameters = Object.entries(integration.parameters).map(([name, value]) => [
    name,
    secret.has(name) ? hidden : value,
  ]);
  return {
    id,
    provider,
    description,
    enabled,
    parameters: Object.fromEntries(parameters) as Record<string, string>,
    events: [...events],
    projects: integration.projects.filter((project) => !unseen.has(project)),
    environments: [...environments],
  };
}

export function presentDelivery(integrationId: number, row: Awaited<ReturnType<typeof listDeliveries>>[number]) {
  return {
    id: String(row.deliveryId),
    integrationId,
    createdAt: isoTime(row.toldAt),
    state: row.state as Outcome['state'],
    stateDetails: row.stateDetails,
    event: presentEvent(row),
    details: JSON.parse(row.details) as Outcome['details'],
  };
}
