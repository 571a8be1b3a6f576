export { threadRetention } from './retention.ts';
export { typesWithSubject } from './subject.ts';
export { saveThread, type Thread, threadOf } from './thread.ts';
