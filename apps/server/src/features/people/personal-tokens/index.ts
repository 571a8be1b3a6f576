export { createToken, deleteToken, deleteTokenOfAnyone } from './commands.ts';
export { createPersonalTokenLookup } from './lookup.ts';
export { presentToken } from './personal-token.ts';
export { personalTokenHandlers } from './routes.ts';
export { listTokens, listTokensOfAll, listTokensOfKind, type OwnedToken } from './store.ts';
