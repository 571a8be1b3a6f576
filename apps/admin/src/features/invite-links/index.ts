export { InviteLinks } from './invite-links.tsx';
