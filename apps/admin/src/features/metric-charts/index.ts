export { FlagCharts } from './flag-charts.tsx';
