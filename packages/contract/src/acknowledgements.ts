import { z } from 'zod';
import { acknowledgePermissions, attentionKinds } from './attention.ts';
import { defineRoutes, json } from './route.ts';
import { dateTime } from './scalars.ts';
import { filledText } from './text.ts';

const acknowledgement = z.object({
  subject: z.string(),
  by: z.string().meta({ description: 'The name of the person' }),
  at: dateTime,
});

const answer = json(z.object({ acknowledgements: z.array(acknowledgement) }));

/** The recorded values of events about what automation left for a person. */
export const attentionDataSchema = z.object({
  items: z
    .array(
      z.object({
        subject: z.string(),
        kind: z.enum(attentionKinds),
        name: z.string().meta({ description: 'The flag, the action set, or the title of the alert' }),
        since: dateTime,
      }),
    )
    .meta({ description: 'At most 20' }),
  total: z.number().int(),
});

/** Acknowledgements: a person says that they look after what automation did, for everyone to see. */
export const acknowledgementRoutes = defineRoutes('Acknowledgements', {
  'GET /api/admin/acknowledgements': {
    summary: 'List who looks after what automation left for a person, the newest 1,000',
    access: 'signed-in',
    answers: { 200: answer },
  },
  'POST /api/admin/acknowledgements': {
    summary: 'Acknowledge holds of automation, waiting runs, paused plans and alerts without effect',
    description: `The name of the caller is shown to everyone who sees the subject, and no reminder of it is sent. A later call replaces an earlier one. With \`acknowledged\` false, withdraws it, also when another person gave it. A subject is \`hold:<id>\` for a hold of an action or safeguard, \`run:<id>\` for a run that waits for a person, \`plan:<id>:<pausedAt>\` for a plan that automation paused, and \`alert:<signalEndpointId>:<since>:<fingerprint>\` for an alert without effect. The caller needs ${acknowledgePermissions.join(', ')} where the flag is; for an alert READ_SIGNALS, and one of them somewhere.`,
    access: 'signed-in',
    duringMaintenance: true,
    body: z.strictObject({
      subjects: z.array(filledText(1000)).min(1).max(500),
      acknowledged: z.boolean().default(true),
    }),
    answers: { 200: answer },
    errors: [403, 404],
    emits: ['automation-acknowledged', 'automation-acknowledgement-withdrawn'],
  },
});
