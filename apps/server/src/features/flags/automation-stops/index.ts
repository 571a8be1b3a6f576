export { type AutomationKind, type FlagStop, type Rule, rules, type Stop, stops } from './rules.ts';
export {
  overriddenText,
  readStops,
  type StopInForce,
  type Stopped,
  stopBy,
  stopFor,
  stopOfAll,
} from './stops.ts';
