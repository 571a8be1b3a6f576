export { OwnTokens } from './own-tokens.tsx';
export { PersonalTokenList } from './personal-token-list.tsx';
