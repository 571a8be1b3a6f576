export { Publisher } from './publisher.ts';
export { ReplicaMemory } from './replica-memory.ts';
export { ReplicaTokens } from './replica-tokens.ts';
export { Reports } from './reports.ts';
export { replicationHandlers } from './routes.ts';
export { readSnapshot, SnapshotUnusable, sourceOf, writeSnapshot } from './snapshot-file.ts';
export { Upstream } from './upstream.ts';
