export { CurlCommand } from './curl-command.tsx';
export { minutesText, whereText } from './expectation.ts';
export { TruncatedAlerts } from './truncated-alerts.tsx';
