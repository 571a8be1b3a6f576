export { OwnFlagsAndProjects } from './own-flags-and-projects.tsx';
