export { useFlag } from './flag-layout.tsx';
export { HoldAlert } from './hold-alert.tsx';
