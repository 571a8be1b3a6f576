import { z } from 'zod';
import { eventTypes } from './event-types.ts';
import { defineRoutes, empty, json, ready, text } from './route.ts';

const health = z.object({ health: z.enum(['GOOD', 'BAD']) });

export const systemRoutes = defineRoutes('Operations', {
  'GET /health': {
    summary: 'Liveness check: the process is running',
    access: 'public',
    answers: { 200: json(health) },
  },
  'GET /ready': {
    summary: 'Readiness check: the database answers and the process is not shutting down',
    access: 'public',
    answers: { 200: json(health) },
    errors: [503],
  },
  'GET /metrics': {
    summary: 'Prometheus metrics',
    access: 'public',
    answers: { 200: text('text/plain; version=0.0.4; charset=utf-8') },
  },
  'GET /docs/openapi.json': {
    summary: 'This API as an OpenAPI 3.1 document',
    access: 'public',
    answers: { 200: ready(z.looseObject({ openapi: z.string() })), 304: empty },
  },
  'GET /docs/openapi': {
    summary: 'This API as an HTML page',
    access: 'public',
    answers: { 200: text('text/html; charset=utf-8'), 304: empty },
  },
  'GET /docs/asyncapi.json': {
    summary: 'The event feed as an AsyncAPI 3 document, with every event type',
    access: 'public',
    answers: { 200: ready(z.looseObject({ asyncapi: z.string() })), 304: empty },
  },
  'GET /docs/event-types/:type': {
    summary: 'The JSON Schema of an event type',
    access: 'public',
    params: z.object({ type: z.enum(eventTypes) }),
    anyName: true,
    answers: { 200: ready(z.looseObject({ $schema: z.string() })), 304: empty },
  },
});
