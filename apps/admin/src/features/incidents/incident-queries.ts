import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type ListedIncident = Answer<'GET /api/admin/incidents'>['incidents'][number];
export type Incident = Answer<'GET /api/admin/incidents/:incidentId'>;

export const maxListedIncidents = 200;

/** The newest incidents. */
export const incidentsQuery = queryOptions({
  queryKey: ['GET /api/admin/incidents'],
  queryFn: () => api('GET /api/admin/incidents', { query: { limit: String(maxListedIncidents) } }),
});

/** An incident with its signals, runs, holds and changes. */
export const incidentQuery = (incidentId: number) =>
  queryOptions({
    queryKey: ['GET /api/admin/incidents/:incidentId', incidentId],
    queryFn: () => api('GET /api/admin/incidents/:incidentId', { params: { incidentId } }),
  });

export type IncidentReport = Answer<'GET /api/admin/incident-report'>;

/** The report about flags between two times, which are in ISO 8601. */
export const reportQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['GET /api/admin/incident-report', from, to],
    queryFn: () => api('GET /api/admin/incident-report', { query: { from: `IS:${from}`, to: `IS:${to}` } }),
  });
