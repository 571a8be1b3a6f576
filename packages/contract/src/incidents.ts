import { z } from 'zod';
import { runStates } from './actions.ts';
import { eventTypes } from './event-types.ts';
import { filter } from './filters.ts';
import { holdEffects } from './hold.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { dateTime, isFrom, isUntil, paging } from './scalars.ts';
import { signalStates } from './signal-sources.ts';
import { filledText } from './text.ts';

const incidentSchema = z.object({
  id: z.number().int().meta({ description: 'The id of the first event of the incident' }),
  project: z.string(),
  title: z.string().meta({
    description: 'The title of the first signal; its endpoint for callers without READ_SIGNALS',
  }),
  startedAt: dateTime,
  lastAt: dateTime.meta({ description: 'The time of the last change' }),
  openHolds: z.number().int().meta({ description: 'Holds of the incident that have not ended' }),
  flags: z.array(z.string()).meta({ description: 'In lists, at most the first 20' }),
  flagCount: z.number().int().meta({ description: 'The number of all its flags' }),
  signals: z.number().int(),
  runs: z.number().int().meta({ description: 'The runs that recorded an event' }),
  changes: z.number().int(),
});

const holdSchema = z.object({
  id: z.number().int(),
  featureName: z.string(),
  environment: z.string(),
  effect: z.enum(holdEffects),
  rollout: z.number().int().nullable(),
  reason: z.string().nullable(),
  placedBy: z.string(),
  placedAt: dateTime,
  end: z
    .object({ at: dateTime, how: z.enum(['released', 'expired']), by: z.string() })
    .nullable()
    .meta({ description: 'How the hold ended; null while it lasts' }),
});

/** Who caused a change: an action, a release plan or safeguard, or a person. */
export const incidentMarks = ['action', 'plan', 'person'] as const;
export type IncidentMark = (typeof incidentMarks)[number];

const changeSchema = z.object({
  eventId: z.number().int(),
  at: dateTime,
  type: z.enum(eventTypes),
  label: z.string(),
  summary: z
    .string()
    .meta({ description: 'The event as a Markdown sentence, with what it recorded: milestone, value, reason' }),
  mark: z.enum(incidentMarks).meta({ description: 'What caused the change; `plan` for release plans and safeguards' }),
  by: z.string(),
  reason: z.string().nullable(),
  featureName: z.string().nullable(),
  environment: z.string().nullable(),
  signalId: z.number().int().nullable(),
  runId: z.number().int().nullable(),
  byAutomation: z.boolean().meta({
    description:
      'False when `mark` is `person`: for changes of people to the flags of the incident, for freezes, maintenance and starts',
  }),
});

const noteSchema = z.object({
  id: z.number().int(),
  note: z.string(),
  createdAt: dateTime,
  createdBy: z.string(),
  isOwn: z.boolean().meta({ description: 'Whether the caller wrote it, and may delete it' }),
});

const flagSchema = z.object({
  featureName: z.string(),
  environment: z.string(),
  offMs: z.number().int().meta({
    description: 'How long the flag was off for users because of the incident, until now if it is still off',
  }),
  isOff: z.boolean().meta({ description: 'Whether the flag is still off' }),
  holds: z.number().int().meta({ description: 'The number of holds that the incident placed on it' }),
  signals: z.number().int().meta({ description: 'The number of signals that changed it' }),
  alerts: z.number().int().meta({
    description: 'The number of different alerts, by fingerprint, for which it was held; 0 without a fingerprint',
  }),
  moved: z
    .object({
      contexts: z.number().int().meta({ description: 'The number of contexts that were compared' }),
      moved: z.number().int().meta({ description: 'Those for whom the flag was on, off or another variant before' }),
    })
    .nullable()
    .meta({
      description:
        'Of the contexts that clients sent to the frontend API and OFREP in the 24 hours before, how many got another answer because of the incident. Null when no context was known, such as with server SDKs only',
    }),
});

const detailSchema = incidentSchema.extend({
  perFlag: z.array(flagSchema),
  notes: z.array(noteSchema),
  signals: z.array(
    z.object({
      id: z.number().int(),
      at: dateTime,
      endpoint: z.string().nullable().meta({ description: 'Null when the endpoint has been deleted' }),
      title: z.string().nullable().meta({ description: 'Null for callers without READ_SIGNALS' }),
      state: z.enum(signalStates).nullable(),
    }),
  ),
  runs: z
    .array(
      z.object({
        id: z.number().int(),
        at: dateTime,
        name: z.string(),
        signalId: z.number().int(),
        state: z.enum(runStates),
        reason: z.string().nullable(),
        shadow: z.boolean(),
      }),
    )
    .nullable()
    .meta({
      description:
        'The runs of its signals, and those of the project that failed, were skipped or wait, from 30 minutes before its first change to 30 minutes after its last; null for callers without READ_ACTIONS in the project',
    }),
  holds: z.array(holdSchema),
  changes: z.array(changeSchema),
  truncated: z.boolean().meta({ description: 'True when the incident has more than 1,000 changes, signals or runs' }),
});

/** The most notes of an incident. */
export const maxIncidentNotes = 100;

const reportSchema = z.object({
  from: dateTime,
  to: dateTime,
  incidents: z.array(incidentSchema.extend({ perFlag: z.array(flagSchema), notes: z.array(noteSchema) })),
  changes: z.array(
    changeSchema.extend({
      project: z.string(),
      incidentId: z.number().int().nullable().meta({ description: 'The incident that the change belongs to' }),
    }),
  ),
  truncated: z.boolean().meta({ description: 'True when there are more than 100 incidents or 2,000 changes' }),
});

/** The incidents: signals, runs, holds and changes that belong together. */
export const incidentRoutes = defineRoutes('Incidents', {
  'GET /api/admin/incidents': {
    summary: 'List the incidents of visible projects, newest first',
    description:
      'An incident is the work of automation in one project: changes by actions, safeguards and halted plans that follow one another within 30 minutes, and every later change to a flag that the incident still holds. The numbers are those of the whole incident.',
    access: 'signed-in',
    query: z.object({
      ...paging(50, 200),
      project: filter('IS')
        .transform(({ values: [project] }) => project)
        .optional(),
      from: isFrom.optional().meta({ description: 'Incidents with changes since this time' }),
      to: isUntil.optional().meta({ description: 'Incidents that began before this time' }),
    }),
    answers: ok({
      incidents: z.array(incidentSchema),
      total: z.number().int(),
      truncated: z
        .boolean()
        .meta({ description: 'True while events of before an update are grouped: incidents may be missing' }),
    }),
    errors: [400],
  },
  'GET /api/admin/incidents/:incidentId': {
    summary: 'Get an incident with its signals, runs, holds and changes',
    description:
      'Also has runs of the project that changed nothing meanwhile, and what people did with the flags of the incident, until 30 minutes after its last change. Answers 404 when the event does not begin an incident, or its project is hidden from the caller.',
    access: 'signed-in',
    answers: { 200: json(detailSchema) },
  },
  'POST /api/admin/incidents/:incidentId/notes': {
    summary: 'Add a note to an incident',
    access: 'signed-in',
    body: z.object({ note: filledText(4000) }),
    answers: { 201: json(noteSchema) },
    errors: [409],
    emits: ['incident-note-added'],
  },
  'DELETE /api/admin/incidents/:incidentId/notes/:noteId': {
    summary: 'Delete a note of an incident',
    access: 'signed-in',
    only: 'the author of the note',
    answers: { 204: empty },
    errors: [403],
    emits: ['incident-note-deleted'],
  },
  'GET /api/admin/incident-report': {
    summary: 'Get what happened to flags between two times: incidents, and changes by automation and by people',
    description:
      'Has the incidents of visible projects that changed something in the time, oldest first, with their notes, and all changes of flags in the time, each marked with its cause.',
    access: 'signed-in',
    query: z.object({
      from: isFrom,
      to: isUntil,
      project: filter('IS')
        .transform(({ values: [project] }) => project)
        .optional(),
    }),
    answers: { 200: json(reportSchema) },
    errors: [400],
  },
});
