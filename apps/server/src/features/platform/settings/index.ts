export { CachedSetting } from './cached-setting.ts';
export { changeSetting, defineSetting, findSetting } from './store.ts';
