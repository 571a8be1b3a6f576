export { Publisher } from './publisher.ts';
export { ReplicaMemory } from './replica-memory.ts';
export { ReplicaTokens } from './replica-tokens.ts';
export { Reports } from './reports.ts';
export { replicationHandlers } from './routes.ts';
export { Upstream } from './upstream.ts';
