export {
  checkFilters,
  compileFilters,
  type FilterLimits,
  type FilterResult,
  type Filters,
  presentFilters,
  storedFilters,
} from './filter.ts';
export { whereText } from './words.ts';
