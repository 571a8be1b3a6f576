export { Origins } from './origins.tsx';
