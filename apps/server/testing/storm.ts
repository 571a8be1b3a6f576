import { type ActionPlace, givenSet, signal } from './actions.ts';
import { givenAlertPlace, holdingAlerts } from './alerts.ts';
import { givenFlagIn } from './flags.ts';
import type { TestServer } from './server.ts';

/** The number of flags in a storm. */
export const storm = 30;
/** The events that a storm records for each flag. */
export const stormEvents = ['feature-lease-placed', 'feature-lease-released', 'feature-effective-state-changed'];

/** Creates flags, and a set that holds the flag that an alert names. */
export async function givenStorm(server: TestServer, size = storm) {
  const place = await givenAlertPlace(server);
  const flags: string[] = [];
  for (let n = 0; n < size; n++)
    flags.push((await givenFlagIn(server, place.flag.environment, place.projectId)).featureName);
  const set = { allow: { flags: ['*'] }, guards: { flagsPerHour: 1000 } };
  const params = { featureName: '{{item.labels.flag}}', minutes: 600, reason: '{{item.labels.alertname}}' };
  const body = holdingAlerts(place, { params, set });
  await givenSet(server, body, place);
  return { place, flags };
}

/** Sends one request with an alert for each flag. */
export function sendAlerts(server: TestServer, place: ActionPlace, flags: readonly string[], status: string) {
  return signal(server, place, {
    status,
    alerts: flags.map((flag) => ({ status, fingerprint: flag, labels: { alertname: 'Down', flag } })),
  });
}
