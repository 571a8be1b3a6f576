export { OverrideNotice } from './overrides.tsx';
export { OverrideDialog, PlaceOverride } from './place-override.tsx';
export { ReleaseHolds } from './release-holds.tsx';
export { holderAloneText, useHolderAlone, useReleasedWith } from './use-release-rules.ts';
export { requireWhy, WhyField } from './why-field.tsx';
