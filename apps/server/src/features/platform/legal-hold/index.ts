export { isOnLegalHold } from './legal-hold.ts';
export { legalHoldHandlers } from './routes.ts';
