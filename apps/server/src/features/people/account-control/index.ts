export { controllersOf, readControls, roleGiversOf } from './controllers.ts';
export {
  actingAccount,
  recordControl,
  recordControlOfProvider,
  recordProviderLogin,
} from './record-control.ts';
