export { createMaintenance, inMaintenance, isInMaintenance } from './maintenance.ts';
export { maintenanceHandlers } from './routes.ts';
