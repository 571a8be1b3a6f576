import { z } from 'zod';
import { defineRoutes, empty } from './route.ts';

/** `*`, or scheme, host and port as browsers send them (docs/spec#frontend-cors). */
const origin = z.string().max(500).refine(isOrigin, 'must be * or an origin such as https://app.example.com');

function isOrigin(value: string): boolean {
  if (value === '*') return true;
  // URL.parse accepts a comma in a host, but it usually means a list of origins.
  if (/[*,]/.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && (url.origin === value || url.origin === value.toLowerCase());
}

export const corsRoutes = defineRoutes('Operations', {
  'POST /api/admin/ui-config/cors': {
    summary: 'Set the origins from which browsers may use the frontend API; an empty list allows every origin',
    access: { permission: ['ADMIN', 'UPDATE_CORS'] },
    body: z.object({ frontendApiOrigins: z.array(origin).max(1000) }),
    answers: { 204: empty },
    emits: ['setting-created', 'setting-updated'],
  },
});
