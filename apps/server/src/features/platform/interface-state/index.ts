export { interfaceStateHandlers } from './routes.ts';
export { interfaceStateOf } from './store.ts';
