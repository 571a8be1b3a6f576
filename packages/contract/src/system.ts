import { z } from 'zod';
import { eventTypes } from './event-types.ts';
import { defineRoutes, empty, json, ready, text } from './route.ts';

const health = z.object({ health: z.enum(['GOOD', 'BAD']) });

export const systemRoutes = defineRoutes({
  'GET /health': {
    tag: 'Operations',
    summary: 'Liveness check: the process is running',
    access: 'public',
    answers: { 200: json(health) },
    errors: [],
    emits: [],
  },
  'GET /ready': {
    tag: 'Operations',
    summary: 'Readiness check: the database answers and the process is not shutting down',
    access: 'public',
    answers: { 200: json(health) },
    errors: [503],
    emits: [],
  },
  'GET /metrics': {
    tag: 'Operations',
    summary: 'Prometheus metrics',
    access: 'public',
    answers: { 200: text('text/plain; version=0.0.4; charset=utf-8') },
    errors: [],
    emits: [],
  },
  'GET /docs/openapi.json': {
    tag: 'Operations',
    summary: 'This API as an OpenAPI 3.1 document',
    access: 'public',
    answers: { 200: ready(z.looseObject({ openapi: z.string() })), 304: empty },
    errors: [],
    emits: [],
  },
  'GET /docs/openapi': {
    tag: 'Operations',
    summary: 'This API as an HTML page',
    access: 'public',
    answers: { 200: text('text/html; charset=utf-8'), 304: empty },
    errors: [],
    emits: [],
  },
  'GET /docs/asyncapi.json': {
    tag: 'Operations',
    summary: 'The event feed as an AsyncAPI 3 document, with every event type',
    access: 'public',
    answers: { 200: ready(z.looseObject({ asyncapi: z.string() })), 304: empty },
    errors: [],
    emits: [],
  },
  'GET /docs/event-types/:type': {
    tag: 'Operations',
    summary: 'The JSON Schema of an event type',
    access: 'public',
    params: z.object({ type: z.enum(eventTypes) }),
    answers: { 200: ready(z.looseObject({ $schema: z.string() })), 304: empty },
    errors: [],
    emits: [],
  },
});
