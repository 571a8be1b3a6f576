export { createProvider } from './provider.ts';
export { singleSignOnHandlers } from './routes.ts';
