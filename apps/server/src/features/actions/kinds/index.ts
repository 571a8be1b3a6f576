export type { ActionKind, Did, KindLimits, PlannedCall } from './kind.ts';
export { callsOutside, findKind, kindNames } from './registry.ts';
export { recordedParameters, shownParameters, withoutHidden, withSecretsOf } from './secrets.ts';
export { tagOf } from './tag.ts';
