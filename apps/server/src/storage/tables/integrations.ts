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
    /** The last event whose delivery was queued, or that was skipped. */
    cursor: number;
    /** Whether each event waits for the event before it. */
    ordered: Generated<number>;
    /** User ids; empty for all. */
    actors: Generated<string>;
    cause: Generated<string>;
    /** JSON, sealed; empty when requests are not signed. */
    signing_keys: Generated<string>;
  };
  /** The messages of an integration about one subject, such as a hold. */
  message_threads: {
    id: Generated<number>;
    integration_id: number;
    subject: string;
    first_event_id: number;
    last_event_at: number;
    /** The event that ended the subject; null while it is open. */
    ended_event_id: number | null;
    /** The receiver's name of the first message; null for a receiver that names none. */
    reference: string | null;
  };
}
