export { type VariantDraft, variantBodies, variantDraftOf, variantProblems } from './draft.ts';
export { VariantShares } from './variant-shares.tsx';
export { VariantsEditor } from './variants-editor.tsx';
export { distributeWeights } from './weights.ts';
