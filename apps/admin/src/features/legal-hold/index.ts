export { LegalHold } from './legal-hold.tsx';
