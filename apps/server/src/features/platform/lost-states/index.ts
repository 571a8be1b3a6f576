export { endLostStates } from './lost-states.ts';
