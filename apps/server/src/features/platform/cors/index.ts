export { corsHandlers, watchCorsOrigins } from './cors.ts';
