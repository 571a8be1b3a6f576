export { addDependency, removeDependencies, removeDependenciesOfArchived, removeDependency } from './commands.ts';
export { type Dependency, presentDependency } from './dependency.ts';
export { featureDependencyHandlers } from './routes.ts';
export { deleteDependencies, dependenciesOf, parentVariantsColumn, putDependency } from './store.ts';
