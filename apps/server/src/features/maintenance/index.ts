export { createMaintenance, isInMaintenance } from './maintenance.ts';
export { maintenanceHandlers } from './routes.ts';
