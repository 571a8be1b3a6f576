import type { Report } from './report.ts';
import type { Scene, Started } from './scene.ts';
import type { Administrator, SetUp } from './setup.ts';
import { type Event, eventsOf, firingAlert, runOf, type Signal, signalOf } from './watch.ts';

export const flag = 'new-checkout';

/** The started programs. */
export interface Stage {
  readonly scene: Scene;
  readonly report: Report;
  readonly admin: Administrator;
  readonly made: SetUp;
  readonly shop: Started;
  readonly prometheus: Started;
}

/** A signal that an action set has run for. */
export interface Cause {
  readonly id: number;
  /** The alert and its state in words, such as "FeatureFails fires: …". */
  readonly said: string;
}

/** Reports the alert when it fires, its signal and the hold. Returns the signal. */
export async function tellFiring({ scene, report, admin, made, prometheus }: Stage): Promise<Cause> {
  const { name } = await scene.until('the alert', () => firingAlert(prometheus.url, flag));
  const { signal, alert } = await scene.until('the signal', () =>
    signalOf(admin, made.endpointId, { flag, status: 'firing' }),
  );
  report.tell({
    step: 'alert',
    at: new Date(alert.startsAt),
    text: `Prometheus: the alert ${name} fires: ${alert.annotations.summary}`,
    more: { alert: name, flag: alert.labels.feature_flag },
  });
  tellSignal(report, signal, 'firing');
  await tellRun({ scene, report, admin }, made.actionSetId, signal, 'flag-off');
  return { id: signal.id, said: `${name} fires: ${alert.annotations.summary}` };
}

/** Reports the end of the alert, its signal and the end of the hold. Returns the signal. */
export async function tellResolved({ scene, report, admin, made }: Stage): Promise<Cause> {
  const { signal, alert } = await scene.until('the alert to be resolved', () =>
    signalOf(admin, made.endpointId, { flag, status: 'resolved' }),
  );
  report.tell({ step: 'resolved', at: new Date(alert.endsAt), text: 'Prometheus: the alert is over' });
  tellSignal(report, signal, 'resolved');
  await tellRun({ scene, report, admin }, made.actionSetId, signal, 'flag-back');
  return { id: signal.id, said: `${alert.labels.alertname} is resolved` };
}

/** Breaks the payment provider of the new checkout, or repairs it. */
export async function switchPayments(shop: Started, to: 'up' | 'down'): Promise<void> {
  const response = await fetch(`${shop.url}/payments/${to}`, { method: 'PUT' });
  if (!response.ok) throw new Error(`The shop answered ${response.status}.`);
}

function tellSignal(report: Report, { id, createdAt }: Signal, status: string): void {
  const text = `Alertmanager sends "${status}": signal ${id}`;
  report.tell({ step: `signal-${status}`, at: new Date(createdAt), text, more: { signalId: id } });
}

/** Reports the run of an action set for a signal, from its event. */
async function tellRun(
  { scene, report, admin }: Pick<Stage, 'scene' | 'report' | 'admin'>,
  setId: number,
  signal: Signal,
  step: 'flag-off' | 'flag-back',
): Promise<void> {
  const run = await scene.until(`the actions on signal ${signal.id}`, () => runOf(admin, setId, signal.id));
  const event = (await eventsOf(admin, [signal.id])).find(({ type }) => type.startsWith('feature-lease-'));
  if (event === undefined) throw new Error(`Run ${run.id} has not changed the flag.`);
  const what = step === 'flag-off' ? `${flag} is held off` : `${flag} is released`;
  const text = `${what} by "${run.actionSet.name}" (run ${run.id})`;
  report.tell({ step, at: new Date(event.createdAt), text, more: { runId: run.id, signalId: signal.id } });
}

/** Reports an event that a signal caused. */
export function tellEvent(report: Report, { id, type, label, createdBy, createdAt, cause }: Event, said: string): void {
  const why = `because signal ${cause.signalId} said that ${said}`;
  const text = `${label} (${type}) by ${createdBy} in run ${cause.runId},\n              ${why}`;
  report.tell({ step: 'event', at: new Date(createdAt), text, more: { id, type, createdBy, ...cause } });
}
