export { KnownSetting } from './known-setting.ts';
export { changeSetting, findSetting } from './store.ts';
