export { featureTypeHandlers, flagCreatorHandlers } from './routes.ts';
