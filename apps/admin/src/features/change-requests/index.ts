export { PendingChanges } from './pending-changes.tsx';
