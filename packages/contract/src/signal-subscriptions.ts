import { z } from 'zod';
import { defineRoutes, json, ok } from './route.ts';
import { dateTime, id } from './scalars.ts';

const subscriptionSchema = z.object({
  id,
  topic: z.string().meta({ description: 'For Amazon SNS, the ARN of the topic' }),
  state: z.enum(['pending', 'confirmed', 'ended']),
  receivedAt: dateTime.meta({ description: 'When the sender asked for the confirmation' }),
  changedAt: dateTime,
});

/** Subscriptions of signal endpoints, for senders that want them confirmed (docs/spec#signal-subscriptions). */
export const signalSubscriptionRoutes = defineRoutes('Signals', {
  'GET /api/admin/signal-endpoints/:id/subscriptions': {
    access: { permission: 'ADMIN' },
    summary: 'List the subscriptions that the sender of a signal endpoint asked to confirm',
    answers: ok({ subscriptions: z.array(subscriptionSchema) }),
  },
  'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/confirm': {
    access: { permission: 'ADMIN' },
    summary: 'Confirm a subscription at its sender',
    description:
      'Calls the address that the sender gave, at a host of Amazon only. Answers 409 when the sender refuses.',
    answers: { 200: json(subscriptionSchema) },
    errors: [409],
    emits: ['signal-subscription-confirmed'],
  },
  'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/end': {
    access: { permission: 'ADMIN' },
    summary: 'End a confirmed subscription at its sender',
    answers: { 200: json(subscriptionSchema) },
    errors: [409],
    emits: ['signal-subscription-ended'],
  },
});
