export { LoopProbe, type LoopState } from './loop-probe.ts';
