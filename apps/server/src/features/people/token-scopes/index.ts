export { allProjects, holds, scopeOf, type TokenScope } from './scope.ts';
export { namesProject, type Reader, readableBy, saveScopes } from './store.ts';
