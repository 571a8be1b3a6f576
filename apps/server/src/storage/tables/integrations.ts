import type { Generated } from 'kysely';

export interface IntegrationTables {
  integrations: {
    id: Generated<number>;
    provider: string;
    description: string | null;
    enabled: number;
    /** JSON, sealed: the parameters of the sink, such as the address of a webhook. */
    parameters: string;
    events: string;
    projects: string;
    environments: string;
    /** 1 when an administrator saved the integration: an empty list of projects then includes private projects. */
    sees_all: number;
    /**
     * The id of the last event that was handled: its delivery was queued, or the event does not concern the
     * integration.
     */
    cursor: number;
    /** 1 when an event is sent only after the event before it is delivered or dead. */
    ordered: Generated<number>;
    /** JSON: the ids of the users whose changes are sent; an empty list for all users. */
    actors: Generated<string>;
    cause: Generated<string>;
    /** JSON, sealed: the keys with which requests are signed; empty when requests are not signed. */
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
    /**
     * The id that the receiver gave to the first message of the thread, to which further messages are added; null for a
     * receiver without such ids.
     */
    reference: string | null;
    /** The newest event that a message of the thread has told, in threads about incidents; 0 in others. */
    told_event_id: Generated<number>;
    /** The time of the newest message, in threads about incidents; 0 in others. */
    told_at: Generated<number>;
    /** When a digest tells the events since the newest message; null without such events. */
    digest_at: number | null;
    /** The newest event that waits for the digest. */
    digest_event_id: number | null;
  };
}
