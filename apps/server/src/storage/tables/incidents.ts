import type { Generated } from 'kysely';

export interface IncidentTables {
  /** Incidents: the work of automation in one project, grouped. The id is that of the first event. */
  incidents: {
    id: number;
    project: string;
    started_at: number;
    last_at: number;
    last_event_id: number;
  };
  /** The events of incidents. A row is deleted with its event. */
  incident_events: { event_id: number; incident_id: number };
  /** The holds of incidents that have not ended. */
  incident_holds: { incident_id: number; hold_id: number; feature_name: string };
  /** The contexts that were compared for an event, and those that it moved. A row is deleted with its event. */
  moved_contexts: { event_id: number; contexts: number; moved: number };
  incident_notes: {
    id: Generated<number>;
    incident_id: number;
    note: string;
    created_by: string;
    created_by_user_id: number;
    created_at: number;
  };
  /** One row: the newest event that was grouped. */
  incident_cursor: { id: number; event_id: number };
}
