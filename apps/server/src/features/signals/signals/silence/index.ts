export { expectedAlerts } from './expected-alerts.ts';
export {
  changesExpectation,
  restartExpectation,
  type SilentEndpoint,
  silenceJob,
  silentEndpoints,
  watchSilence,
} from './silence.ts';
export { type OnStored, type SilenceState, silencePayload, silenceStatePath } from './silence-signal.ts';
