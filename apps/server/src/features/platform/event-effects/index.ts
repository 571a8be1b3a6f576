export { type ReviewScope, reviewScopeOf, sdkChangeOf, touches } from './effects.ts';
