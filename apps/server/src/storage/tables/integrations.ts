import type { Generated } from 'kysely';

export interface IntegrationTables {
  integrations: {
    id: Generated<number>;
    provider: string;
    description: string | null;
    enabled: number;
    /** JSON, sealed. */
    parameters: string;
    events: string;
    projects: string;
    environments: string;
    /** Whether its author sees all projects: an empty list of projects then includes private projects. */
    sees_all: number;
    /** The last event that was delivered or skipped. */
    cursor: number;
    /** The process that delivers its events now. */
    lease_holder: string | null;
    lease_until: number;
  };
  integration_events: {
    id: Generated<number>;
    integration_id: number;
    event_id: number;
    created_at: number;
    state: string;
    state_details: string;
    details: string;
  };
}
