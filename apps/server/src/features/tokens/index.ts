export { edgeHandlers } from './edge-routes.ts';
export { endTokensOfEnvironment, endTokensOfProject } from './ended-scope.ts';
export { createInitialTokens } from './initial.ts';
export { forgetSecrets, type KeptSecrets, keepSecrets } from './kept-secrets.ts';
export { createTokenLookup, type KnownToken, type TokenLookup } from './lookup.ts';
export { apiTokenHandlers } from './routes.ts';
export { createSeenTokens } from './seen.ts';
export { hasAdminTokenNamed } from './store.ts';
export type { ApiToken } from './token.ts';
