export { CachedSetting } from './cached-setting.ts';
export { changeSetting, findSetting } from './store.ts';
