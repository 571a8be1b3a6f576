export { controllersOf, readControls } from './controllers.ts';
export {
  actingAccount,
  recordControl,
  recordControlOfProvider,
  recordProviderLogin,
} from './record-control.ts';
