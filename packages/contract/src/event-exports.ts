import { z } from 'zod';
import { defineRoutes, empty } from './route.ts';
import { plainText } from './text.ts';

export const eventExportRoutes = defineRoutes('Events', {
  'POST /api/admin/event-exports': {
    summary: 'Record that events were exported to a file',
    description: 'The interface and `yardarm events export` call this. Reading the event log records nothing.',
    access: 'signed-in',
    body: z.strictObject({
      format: z.enum(['json', 'ndjson', 'csv']),
      events: z.number().int().min(0).meta({ description: 'The number of events in the file' }),
      filters: z.record(plainText(100), plainText(1000)).meta({ description: 'The filters of the search' }),
    }),
    answers: { 204: empty },
    emits: ['events-exported'],
  },
});
