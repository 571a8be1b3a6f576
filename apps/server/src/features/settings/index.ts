export { KnownSetting } from './known-setting.ts';
export { createSeal, type Seal } from './seal.ts';
export { changeSetting, findSetting } from './store.ts';
