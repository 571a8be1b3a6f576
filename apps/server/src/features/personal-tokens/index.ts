export { createToken, deleteToken } from './commands.ts';
export { createPersonalTokenLookup } from './lookup.ts';
export { presentToken } from './personal-token.ts';
export { personalTokenHandlers } from './routes.ts';
export { listTokens, listTokensOfKind } from './store.ts';
