export { describeHours, describeTime, type Hours, isWithinHours, nextWithinHours } from './hours.ts';
