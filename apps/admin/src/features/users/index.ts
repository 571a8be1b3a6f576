export { RevokeTokens } from './revoke-tokens.tsx';
