import { isoTime } from '../../kernel/clock.ts';
import { presentEvent } from '../events/index.ts';
import { maskedSecret } from '../outbound/index.ts';
import type { Integration, Outcome } from './integration.ts';
import { detailsColumn, type listDeliveries } from './store.ts';
import { webhook } from './webhook.ts';

/** Presents an integration with masked secrets and without the projects that are hidden from the caller. */
export function presentIntegration(integration: Integration, hiddenProjects: ReadonlySet<string>) {
  const { id, provider, description, enabled, events, environments } = integration;
  const secret = new Set<string>(webhook.parameters.filter(({ sensitive }) => sensitive).map(({ name }) => name));
  const parameters = Object.entries(integration.parameters).map(([name, value]) => [
    name,
    secret.has(name) ? maskedSecret : value,
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
  };
}

export function presentDelivery(integrationId: number, row: Awaited<ReturnType<typeof listDeliveries>>[number]) {
  return {
    id: String(row.deliveryId),
    integrationId,
    createdAt: isoTime(row.attemptedAt),
    state: row.state as Outcome['state'],
    stateDetails: row.stateDetails,
    event: presentEvent(row),
    details: detailsColumn.parse(row.details, row.deliveryId),
  };
}
