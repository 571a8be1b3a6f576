export { nothingToReleaseText } from './hold-flag.ts';
export type { ActionKind, ActionResult, KindLimits, PlannedCall } from './kind.ts';
export { findKind, isOutboundKind, kindNames, releaseOf } from './registry.ts';
export { recordedParameters, restoreSecrets, shownParameters, withoutMaskedSecrets } from './secrets.ts';
export { parseTag } from './tag.ts';
