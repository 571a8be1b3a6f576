import { type Cause, flag, type Stage, switchPayments, tellEvent, tellFiring, tellResolved } from './alert.ts';
import { Customers } from './customers.ts';
import { type Installed, startAlertmanager, startPrometheus, startShop, startYardarm } from './programs.ts';
import type { Report } from './report.ts';
import type { Scene, Started } from './scene.ts';
import { setUp, switchOn } from './setup.ts';
import { eventsOf, requestsSeen } from './watch.ts';

interface StartOptions {
  readonly installed: Installed;
  readonly secrets: { readonly adminToken: string; readonly adminPassword: string };
  readonly isOn: boolean;
}

/**
 * Starts all programs in order of their dependencies: Alertmanager calls Yardarm, Prometheus calls Alertmanager and the
 * shop. With `isOn` the flag is on for everyone, otherwise off.
 */
export async function start(scene: Scene, report: Report, { installed, secrets, isOn }: StartOptions): Promise<Stage> {
  const started = ({ name, pid, url }: Started) =>
    report.tell({ step: 'started', text: `${name} listens on ${url}`, more: { name, pid, url } });
  const yardarm = await startYardarm(scene, secrets);
  started(yardarm);
  const admin = { url: yardarm.url, token: secrets.adminToken };
  const made = await scene.until('Yardarm to be set up', () => setUp(admin, flag));
  if (isOn) await switchOn(admin, flag);
  report.tell({
    step: 'set-up',
    text: `${flag} is ${isOn ? 'on' : 'off'}, and actions hold it off while an alert about it fires`,
  });
  const shop = await startShop(scene, yardarm, made.serviceToken);
  started(shop);
  const { signalToken } = made;
  const alertmanager = await startAlertmanager(scene, installed.alertmanager, { yardarm, signalToken });
  started(alertmanager);
  const prometheus = await startPrometheus(scene, installed.prometheus, { shop, alertmanager });
  started(prometheus);
  return { scene, report, admin, made, shop, prometheus };
}

/** Breaks the shop and reports what happens until the flag is on again. */
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

/** Starts from a working shop; ends when customers get the old checkout. Returns the signal that caused the change. */
async function breakShop(stage: Stage, customers: Customers): Promise<Cause> {
  const { scene, report, shop, prometheus } = stage;
  const bought = await scene.until('a purchase', () => customers.first({ path: 'new', ok: true }, 0));
  report.tell({ step: 'healthy', at: bought.at, text: 'Customers get the new checkout' });
  await scene.until(
    'Prometheus to count purchases',
    async () => (await requestsSeen(prometheus.url, flag)) || undefined,
  );

  const before = customers.count;
  await switchPayments(shop, 'down');
  report.tell({ step: 'broken', text: 'The payment provider of the new checkout is down: purchases fail' });
  const fired = await tellFiring(stage);

  const saved = await scene.until('a purchase by the old checkout', () =>
    customers.first({ path: 'old', ok: true }, before),
  );
  const text = `Customers get the old checkout, and it works; ${customers.failures(before)} purchases have failed`;
  report.tell({ step: 'recovered', at: saved.at, text });
  return fired;
}

/** Repairs the shop; ends when customers get the new checkout again. Returns the signal that caused the change. */
async function mendShop(stage: Stage, customers: Customers): Promise<Cause> {
  const { scene, report, shop } = stage;
  const before = customers.count;
  await switchPayments(shop, 'up');
  report.tell({ step: 'mended', text: 'The payment provider is back' });
  const resolved = await tellResolved(stage);

  const again = await scene.until('a purchase by the new checkout', () =>
    customers.first({ path: 'new', ok: true }, before),
  );
  const text = `Customers get the new checkout again; ${customers.failures(before)} purchases have failed since it was mended`;
  report.tell({ step: 'back', at: again.at, text, more: { failures: customers.failures(before) } });
  return resolved;
}
