export { newStrategy, type StrategyDraft, strategyBodyOf, strategyDraftOf, strategyProblems } from './draft.ts';
export { StrategyForm, type StrategyKnowledge } from './strategy-form.tsx';
export { StrategyList } from './strategy-list.tsx';
