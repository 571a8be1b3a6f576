export { metricChartHandlers } from './routes.ts';
