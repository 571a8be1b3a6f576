export { Maintenance } from './maintenance.tsx';
