import { expect } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { givenRunHold } from '#testing/actions.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const list = 'GET /api/admin/incidents';
const incidentRoute = 'GET /api/admin/incidents/:incidentId';

const noteRoute = 'POST /api/admin/incidents/:incidentId/notes';
const deleteRoute = 'DELETE /api/admin/incidents/:incidentId/notes/:noteId';
const report = 'GET /api/admin/incident-report';

async function givenIncident(server: TestServer): Promise<{ readonly incidentId: number }> {
  await givenRunHold(server);
  const { incidents } = (await server.admin.call(list)).json;
  return { incidentId: incidents[0].id };
}

async function givenNote(server: TestServer) {
  const params = await givenIncident(server);
  const { json } = await server.admin.call(noteRoute, { params, body: { note: 'The database was full.' } });
  return { params: { ...params, noteId: json.id } };
}

export const incidentScenarios: readonly Scenario[] = [
  {
    route: list,
    name: 'lists the incidents of visible projects',
    as: 'viewer',
    given: async (server) => {
      await givenRunHold(server);
      return { query: { limit: 1 } };
    },
    answer: {
      incidents: [{ openHolds: 1, signals: 1, runs: 1, changes: 2 }],
      total: expect.any(Number),
      truncated: false,
    },
  },
  ...refusedTo('viewer', list, 400, {
    'rejects a malformed time': async () => ({ query: { from: 'now' } }),
  }),
  {
    route: incidentRoute,
    name: 'has no runs and no titles for a viewer',
    as: 'viewer',
    given: async (server) => {
      await givenRunHold(server);
      const { incidents } = (await server.admin.call(list)).json;
      return { params: { incidentId: incidents[0].id } };
    },
    answer: {
      openHolds: 1,
      signals: [{ title: null }],
      runs: null,
      holds: [{ effect: 'off', environment: 'development', end: null }],
      changes: [
        { type: 'feature-lease-placed', byAutomation: true },
        { type: 'feature-effective-state-changed', byAutomation: true },
      ],
      truncated: false,
    },
  },
  ...refusedTo('viewer', incidentRoute, 404, {
    'answers 404 for an event that begins no incident': async () => ({ params: { incidentId: 1 } }),
  }),
  {
    route: noteRoute,
    name: 'adds a note of the caller',
    as: 'viewer',
    given: async (server) => ({ params: await givenIncident(server), body: { note: 'The database was full.' } }),
    answer: { note: 'The database was full.', isOwn: true },
    events: [{ type: 'incident-note-added', data: { note: 'The database was full.' } }],
  },
  ...refused(noteRoute, 409, {
    'answers 409 when the incident has 100 notes': async (server) => {
      const params = await givenIncident(server);
      for (let n = 0; n < 100; n++) await server.admin.call(noteRoute, { params, body: { note: `Note ${n}` } });
      return { params, body: { note: 'One more' } };
    },
  }),
  {
    route: deleteRoute,
    name: 'deletes a note of the caller',
    given: givenNote,
    events: [{ type: 'incident-note-deleted', preData: { note: 'The database was full.' } }],
  },
  ...refusedTo('viewer', deleteRoute, 403, {
    'answers 403 for the note of another person': givenNote,
  }),
  {
    route: report,
    name: 'has the incidents with their notes, and each change with its mark',
    as: 'viewer',
    given: async (server) => {
      server.clock.advance(1000);
      const from = isoTime(server.clock.now());
      await givenNote(server);
      return { query: { from: `IS:${from}`, to: `IS:${isoTime(server.clock.now() + 1)}` } };
    },
    answer: {
      incidents: [{ openHolds: 1, perFlag: [{ holds: 1, signals: 1 }], notes: [{ note: 'The database was full.' }] }],
      changes: expect.arrayContaining([
        expect.objectContaining({ type: 'feature-lease-placed', mark: 'action', incidentId: expect.any(Number) }),
        expect.objectContaining({ type: 'feature-created', mark: 'person', incidentId: null }),
      ]),
      truncated: false,
    },
  },
];
