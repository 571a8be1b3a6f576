import { z } from 'zod';
import { changeActions } from '../changes.ts';
import type { EventType } from '../event-types.ts';
import { anyJson, dateTime } from '../scalars.ts';
import { after, both, type RecordedValues } from './recorded.ts';

const changeRequest = z.object({ changeRequestId: z.number().int() });
const failed = changeRequest.extend({ reason: z.string() });

const change = z.object({
  id: z.number().int(),
  action: z.enum(changeActions),
  feature: z.string().optional().meta({ description: 'Absent for a change of a segment' }),
  payload: anyJson.optional().meta({ description: 'The body of the direct request, whose route describes it' }),
});
const schedule = z.object({ scheduledDate: dateTime });
const reviewers = z.object({ reviewers: z.array(z.number().int()) });
const title = z.object({ title: z.string().nullable() });

const rule = z.object({ changeRequestsEnabled: z.boolean(), requiredApprovals: z.number().int().nullable() });

/** Returns the schemas of an event that replaces a value of a change request: `preData` has the previous value. */
function replaced(value: z.ZodObject): RecordedValues {
  return { data: changeRequest.extend(value.shape), preData: value };
}

/** The recorded values of the events of change requests and of breaking glass. */
export const changeRequestEvents = {
  'change-request-created': after(changeRequest),
  'change-request-discarded': after(changeRequest),
  'change-request-sent-to-review': after(changeRequest),
  'change-request-approval-added': after(changeRequest),
  'change-request-approved': after(changeRequest),
  'change-request-rejected': after(changeRequest),
  'change-request-cancelled': after(changeRequest),
  'change-request-applied': after(changeRequest),
  'change-request-scheduled': {
    data: changeRequest.extend(schedule.shape),
    preData: schedule.nullable().meta({ description: 'The earlier schedule' }),
  },
  'change-request-schedule-suspended': after(failed),
  'change-request-scheduled-application-success': after(changeRequest),
  'change-request-scheduled-application-failure': after(failed),
  'change-request-requested-approvers-updated': replaced(reviewers),
  'change-request-commented': after(changeRequest.extend({ text: z.string() })),
  'change-request-title-updated': replaced(title),
  'change-added': after(changeRequest.extend({ change })),
  'change-discarded': after(changeRequest.extend({ change })),
  'change-edited': replaced(z.object({ change })),
  'change-request-configuration-updated': both(rule),
  'break-glass-used': after(z.object({ id: z.number().int(), reason: z.string(), environments: z.array(z.string()) })),
  'break-glass-acknowledged': after(
    z.object({
      id: z.number().int(),
      usedBy: z.string(),
      usedAt: dateTime,
      verdict: z.enum(['justified', 'not-justified']),
      note: z.string(),
    }),
  ),
} satisfies Partial<Record<EventType, RecordedValues>>;
