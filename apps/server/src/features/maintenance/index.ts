export { createMaintenance } from './maintenance.ts';
export { maintenanceHandlers } from './routes.ts';
