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
    /** Whether who made it so sees all projects: then all of them includes private ones. */
    sees_all: number;
    /** The last event that it was told of, or that is none of its business. */
    cursor: number;
    /** The process that is at it. */
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
