import { Customers } from './customers.ts';
import { type Installed, startAlertmanager, startPrometheus, startShop, startYardarm } from './programs.ts';
import type { Report } from './report.ts';
import type { Scene, Started } from './scene.ts';
import { type Administrator, type SetUp, setUp } from './setup.ts';
import { type Event, eventsOf, firingAlert, requestsSeen, runOf, type Signal, signalOf } from './watch.ts';

const flag = 'new-checkout';

/** The started programs. */
interface Stage {
  readonly scene: Scene;
  readonly report: Report;
  readonly admin: Administrator;
  readonly made: SetUp;
  readonly shop: Started;
  readonly prometheus: Started;
}

/** A signal that something was done about. */
interface Cause {
  readonly id: number;
  /** Its output, shortened. */
  readonly said: string;
}

/**
 * Starts all programs in order of their dependencies: Alertmanager calls Yardarm, Prometheus calls Alertmanager and the
 * shop.
 */
export async function start(
  scene: Scene,
  report: Report,
  installed: Installed,
  secrets: { adminToken: string; adminPassword: string },
): Promise<Stage> {
  const started = ({ name, pid, url }: Started) =>
    report.tell({ step: 'started', text: `${name} listens on ${url}`, more: { name, pid, url } });
  const yardarm = await startYardarm(scene, secrets);
  started(yardarm);
  const admin = { url: yardarm.url, token: secrets.adminToken };
  const made = await scene.until('Yardarm to be set up', () => setUp(admin, flag));
  report.tell({ step: 'set-up', text: `${flag} is on, and actions hold it off while an alert about it fires` });
  const shop = await startShop(scene, yardarm, made.serviceToken);
  started(shop);
  const { signalToken } = made;
  const alertmanager = await startAlertmanager(scene, installed.alertmanager, { yardarm, signalToken });
  started(alertmanager);
  const prometheus = await startPrometheus(scene, installed.prometheus, { shop, alertmanager });
  started(prometheus);
  return { scene, report, admin, made, shop, prometheus };
}

/** Breaks the shop, and tells what follows from it until the flag is back. */
export async function play(stage: Stage): Promise<void> {
  const { scene, report, admin } = stage;
  const customers = new Customers(stage.shop.url);
  try {
    report.heading('The new checkout breaks');
    const fired = await breakShop(stage, customers);
    report.heading('It is mended, and the alert is over');
    const resolved = await mendShop(stage, customers);
    report.heading('Why, by the event log');
    const events = await scene.until('the event log', () => eventsOf(admin, [fired.id, resolved.id]));
    for (const event of events) {
      const said = event.cause.signalId === fired.id ? fired.said : resolved.said;
      tellEvent(report, event, said);
    }
  } finally {
    await customers.leave();
  }
}

/** From a shop that works to customers who get the old checkout. Answers the signal that came between. */
async function breakShop(
  { scene, report, admin, made, shop, prometheus }: Stage,
  customers: Customers,
): Promise<Cause> {
  const bought = await scene.until('a purchase', () => customers.first({ path: 'new', ok: true }, 0));
  report.tell({ step: 'healthy', at: bought.at, text: 'Customers get the new checkout' });
  await scene.until(
    'Prometheus to count purchases',
    async () => (await requestsSeen(prometheus.url, flag)) || undefined,
  );

  const before = customers.count;
  await switchPayments(shop, 'down');
  report.tell({ step: 'broken', text: 'The payment provider of the new checkout is down: purchases fail' });
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

  const saved = await scene.until('a purchase by the old checkout', () =>
    customers.first({ path: 'old', ok: true }, before),
  );
  const text = `Customers get the old checkout, and it works; ${customers.failures(before)} purchases have failed`;
  report.tell({ step: 'recovered', at: saved.at, text });
  return { id: signal.id, said: `${name} fires: ${alert.annotations.summary}` };
}

/** From there to customers who get the new checkout again. Answers the signal that came between. */
async function mendShop({ scene, report, admin, made, shop }: Stage, customers: Customers): Promise<Cause> {
  const before = customers.count;
  await switchPayments(shop, 'up');
  report.tell({ step: 'mended', text: 'The payment provider is back' });
  const { signal, alert } = await scene.until('the alert to be resolved', () =>
    signalOf(admin, made.endpointId, { flag, status: 'resolved' }),
  );
  report.tell({ step: 'resolved', at: new Date(alert.endsAt), text: 'Prometheus: the alert is over' });
  tellSignal(report, signal, 'resolved');
  await tellRun({ scene, report, admin }, made.actionSetId, signal, 'flag-back');

  const again = await scene.until('a purchase by the new checkout', () =>
    customers.first({ path: 'new', ok: true }, before),
  );
  const text = `Customers get the new checkout again; ${customers.failures(before)} purchases have failed since it was mended`;
  report.tell({ step: 'back', at: again.at, text, more: { failures: customers.failures(before) } });
  return { id: signal.id, said: `${alert.labels.alertname} is resolved` };
}

async function switchPayments(shop: Started, to: 'up' | 'down'): Promise<void> {
  const response = await fetch(`${shop.url}/payments/${to}`, { method: 'PUT' });
  if (!response.ok) throw new Error(`The shop answered ${response.status}.`);
}

function tellSignal(report: Report, { id, createdAt }: Signal, status: string): void {
  const text = `Alertmanager sends "${status}": signal ${id}`;
  report.tell({ step: `signal-${status}`, at: new Date(createdAt), text, more: { signalId: id } });
}

/** Tells what a set of actions did about a signal, by the event that says so. */
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

function tellEvent(report: Report, { id, type, label, createdBy, createdAt, cause }: Event, said: string): void {
  const why = `because signal ${cause.signalId} said that ${said}`;
  const text = `${label} (${type}) by ${createdBy} in run ${cause.runId},\n              ${why}`;
  report.tell({ step: 'event', at: new Date(createdAt), text, more: { id, type, createdBy, ...cause } });
}
