export { digestsText, type ThreadKind } from './kind.ts';
export { threadRetention } from './retention.ts';
export { dueDigests, takeDigest } from './store.ts';
export { typesWithSubject } from './subject.ts';
export { saveThread, type Thread, threadOf } from './thread.ts';
