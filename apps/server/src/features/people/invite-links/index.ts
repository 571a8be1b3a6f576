export { inviteLinkHandlers } from './routes.ts';
