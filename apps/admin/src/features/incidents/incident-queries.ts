import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ListedIncident = Answer<'GET /api/admin/incidents'>['incidents'][number];
export type Incident = Answer<'GET /api/admin/incidents/:incidentId'>;

export const maxListedIncidents = 200;

/** The newest incidents. */
export const incidentsQuery = apiQuery('GET /api/admin/incidents', { query: { limit: String(maxListedIncidents) } });

/** An incident with its signals, runs, holds and changes. */
export const incidentQuery = (incidentId: number) =>
  apiQuery('GET /api/admin/incidents/:incidentId', { params: { incidentId } });

export type IncidentReport = Answer<'GET /api/admin/incident-report'>;

/** The report about flags between two times, which are in ISO 8601. */
export const reportQuery = (from: string, to: string) =>
  apiQuery('GET /api/admin/incident-report', { query: { from: `IS:${from}`, to: `IS:${to}` } });
