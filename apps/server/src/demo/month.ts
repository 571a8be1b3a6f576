import { type Caller, callerOf, logIn } from './caller.ts';
import { password, people, projects, segments, type Username } from './company.ts';
import { application as ordersOf, reportOrders, watchOrders } from './orders.ts';
import type { PastClock } from './past-clock.ts';
import { type Alert, type Senders, sendAlert } from './senders.ts';

const day = 86_400_000;
const hour = 3_600_000;
const minute = 60_000;
const days = 30;
/** How far in the past the history begins, in milliseconds. */
export const historyMs = days * day;

export interface Place {
  readonly url: string;
  readonly clock: PastClock;
  /** Resolves when actions of the signals so far have ended. */
  readonly settled: () => Promise<void>;
  /** Resolves when the metrics that applications reported so far are stored. */
  readonly ordersStored: () => Promise<void>;
  /** When aborted, the history ends before the next day, and the promise rejects. */
  readonly stopped: AbortSignal;
}

type SignalSenders = Omit<Senders, 'checkout'>;
type Staff = Readonly<Record<Username, Caller>>;

/** The alerts of the month: `day` is the day on which the alert fires, `minutes` how long it fires. */
const alerts: readonly (Alert & { readonly day: number; readonly minutes: number })[] = [
  { day: 3, minutes: 18, name: 'CheckoutErrors', summary: 'Checkout: 7 % of the requests fail' },
  { day: 9, minutes: 41, name: 'SearchLatency', summary: 'Search: p99 is 2.4 s' },
  { day: 16, minutes: 12, name: 'CheckoutErrors', summary: 'Checkout: 12 % of the requests fail' },
  { day: 22, minutes: 55, name: 'SearchLatency', summary: 'Search: p99 is 3.1 s' },
  { day: 27, minutes: 26, name: 'CheckoutErrors', summary: 'Checkout: 9 % of the requests fail' },
];

/**
 * Creates the company with a month of history, and moves the clock through that month to now. Each demo gets the same
 * history, except for generated ids and secrets. Returns the senders of signals and metrics. Rejects when `stopped` is
 * aborted. It calls the routes as people, SDKs and senders do, so the data obeys their rules and has the events of real
 * changes; a change of a route that it calls has to change the demo.
 */
export async function liveThroughMonth({ url, clock, settled, ordersStored, stopped }: Place): Promise<Senders> {
  const begin = clock.now();
  const admin = await logIn(url, 'admin', password);
  const staff = await hire(url, admin, begin);
  for (const segment of segments) await staff.ada.call('POST /api/admin/segments', segment);
  for (const { id, name, owner } of projects) {
    await staff[owner].call('POST /api/admin/projects', { id, name, environments: ['development', 'production'] });
  }
  const applications = await connectApplications(url, staff.ada);
  let senders: SignalSenders | undefined;
  for (let today = 0; today < days; today++) {
    stopped.throwIfAborted();
    const at = (hours: number) => clock.moveTo(begin + today * day + hours * hour);
    if (senders !== undefined) {
      for (const alert of alerts.filter((each) => each.day === today)) {
        at(2);
        await sendAlert(senders, 'firing', alert, clock.now());
        await settled();
        at(2 + alert.minutes / 60);
        await sendAlert(senders, 'resolved', alert, clock.now());
        await settled();
      }
    }
    at(9);
    await work(staff, today);
    at(15);
    await release(staff, today);
    // The action sets name flags that are created in the first two days.
    if (today === 1) senders = await automate(url, staff);
    at(17);
    if (senders !== undefined) await deploy(senders, today);
    await settled();
    if (today === days - 1) await releaseGradually(staff);
    at(20);
    for (const application of applications) await reportUsage(application, today, clock.now());
  }
  const checkout = applications.find(({ appName }) => appName === ordersOf)?.caller;
  if (senders === undefined || checkout === undefined) throw new Error('The month is shorter than two days');
  for (let minutes = 60; minutes > 0; minutes--) {
    clock.moveTo(begin + historyMs - minutes * minute);
    await reportOrders(checkout, clock.now(), 0.02);
  }
  await ordersStored();
  await watchOrders(staff.bruno);
  clock.catchUp();
  return { ...senders, checkout };
}

/** Creates the people. Each calls with a personal token, since a session does not last a month. */
async function hire(url: string, admin: Caller, now: number): Promise<Staff> {
  const callers: Partial<Record<Username, Caller>> = {};
  for (const { username, name, rootRole } of people) {
    const email = `${username}@shop.example`;
    await admin.call('POST /api/admin/user-admin', { username, name, email, password, rootRole });
    const session = await logIn(url, username, password);
    const token = { description: 'laptop', expiresAt: new Date(now + 300 * day).toISOString() };
    const { secret } = await session.call('POST /api/admin/user/tokens', token);
    callers[username] = callerOf(url, { authorization: String(secret) });
  }
  return callers as Staff;
}

interface Application {
  readonly appName: string;
  readonly caller: Caller;
  readonly flags: readonly string[];
}

async function connectApplications(url: string, ada: Caller): Promise<readonly Application[]> {
  const applications = [];
  for (const { id, application, flags } of projects) {
    const token = { tokenName: application, type: 'backend', environment: 'production', projects: [id] };
    const { secret } = await ada.call('POST /api/admin/api-tokens', token);
    const caller = callerOf(url, { authorization: String(secret) });
    applications.push({ appName: application, caller, flags: flags.map(([name]) => name) });
  }
  return applications;
}

/** Creates the endpoints and the action sets, which run as a service account. */
async function automate(url: string, { ada }: Staff): Promise<SignalSenders> {
  const endpointOf = async (name: string, source: string) => {
    const { id } = await ada.call('POST /api/admin/signal-endpoints', { name, source });
    const { token } = await ada.call(`POST /api/admin/signal-endpoints/${id}/tokens`, { name });
    return { id, caller: callerOf(url, { authorization: `Bearer ${token}` }) };
  };
  const alertmanager = await endpointOf('alertmanager', 'alertmanager');
  const pipeline = await endpointOf('pipeline', 'generic');
  const account = { username: 'automation', name: 'Automation', rootRole: 'Editor' };
  const { id: actorId } = await ada.call('POST /api/admin/service-account', account);
  const is = (value: string) => ({ operator: 'IN', values: [value] });
  const holding = (project: string, featureName: string, alert: string) => ({
    name: `Hold ${featureName} off while ${alert} fires`,
    actorId,
    match: {
      source: 'signal-endpoint',
      sourceId: alertmanager.id,
      payload: { 'item.status': is('firing'), 'item.labels.alertname': is(alert) },
      release: { 'item.status': is('resolved') },
      forEach: 'alerts',
    },
    actions: [
      {
        action: 'HOLD_FEATURE',
        sortOrder: 1,
        executionParams: {
          project,
          environment: 'production',
          featureName,
          effect: 'off',
          minutes: 120,
          reason: '{{item.annotations.summary}}',
        },
      },
    ],
  });
  await ada.call('POST /api/admin/projects/checkout/actions', holding('checkout', 'new-checkout', 'CheckoutErrors'));
  await ada.call('POST /api/admin/projects/search/actions', holding('search', 'semantic-search', 'SearchLatency'));
  await ada.call('POST /api/admin/projects/platform/actions', {
    name: 'Tell the status page about deployments',
    actorId,
    match: { source: 'signal-endpoint', sourceId: pipeline.id, payload: { status: is('failed') } },
    // The payload has no such field, so these runs fail: the demo shows what that looks like.
    actions: [
      {
        action: 'CALL_URL',
        sortOrder: 1,
        executionParams: { project: 'platform', method: 'POST', url: 'https://status.example/{{payload.component}}' },
      },
    ],
  });
  return { alertmanager: alertmanager.caller, pipeline: pipeline.caller };
}

/** Adds a release plan to `new-checkout`: the owner of the project uses a release template of the administrator. */
async function releaseGradually({ ada, bruno }: Staff): Promise<void> {
  const milestones = [10, 25, 50, 100].map((share) => ({
    name: `${share} %`,
    transitionCondition: share === 100 ? null : { intervalMinutes: 1440 },
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(share) } }],
  }));
  const template = { name: 'Three days', description: 'A day each at 10, 25 and 50 %', milestones };
  const { id: templateId } = await ada.call('POST /api/admin/release-plan-templates', template);
  const plans = '/api/admin/projects/checkout/features/new-checkout/environments/production/release-plans';
  await bruno.call(`POST ${plans}`, { templateId, strategies: 'remove' });
}

/** Yields the flags that the projects work on that day. Each project takes its next flag every second day. */
function* flagsOf(today: number) {
  for (const [index, { id, owner, flags }] of projects.entries()) {
    const flag = (today + index) % 2 === 0 ? flags[Math.floor(today / 2)] : undefined;
    if (flag !== undefined)
      yield { owner, path: `/api/admin/projects/${id}/features`, name: flag[0], description: flag[1] };
  }
}

/** Creates the flags of the day as the owners of the projects, and switches them on in development. */
async function work(staff: Staff, today: number): Promise<void> {
  for (const { owner, path, name, description } of flagsOf(today)) {
    await staff[owner].call(`POST ${path}`, { name, description, type: today % 5 === 0 ? 'experiment' : 'release' });
    await staff[owner].call(`POST ${path}/${name}/environments/development/on`);
  }
}

/**
 * Releases the flags of the day to a part of the customers, as the owners. Does nothing on the seventh day of a week.
 */
async function release(staff: Staff, today: number): Promise<void> {
  if (today % 7 === 6) return;
  for (const { owner, path, name } of flagsOf(today)) {
    const parameters = { rollout: String([100, 50, 25, 10][today % 4]), stickiness: 'default', groupId: name };
    const strategies = `POST ${path}/${name}/environments/production/strategies`;
    await staff[owner].call(strategies, { name: 'flexibleRollout', parameters });
    await staff[owner].call(`POST ${path}/${name}/environments/production/on`);
  }
}

async function deploy({ pipeline }: SignalSenders, today: number): Promise<void> {
  const status = today % 11 === 10 ? 'failed' : 'finished';
  const body = { application: projects[today % projects.length]?.application, version: `4.${today}.0`, status };
  await pipeline.call('POST /api/signal-endpoint/pipeline', body);
}

async function reportUsage({ appName, caller, flags }: Application, today: number, now: number): Promise<void> {
  const count = (index: number) => 400 + ((index * 137 + today * 61) % 900);
  const toggles = Object.fromEntries(
    flags
      .slice(0, Math.ceil((today + 1) / 2))
      .map((name, index) => [name, { yes: count(index), no: count(index + 5) }]),
  );
  const instance = { appName, instanceId: `${appName}-1`, sdkVersion: 'unleash-client-node:6.12.1' };
  if (today % 7 === 0) {
    const registration = { ...instance, started: now, interval: 15_000, strategies: ['default', 'flexibleRollout'] };
    await caller.call('POST /api/client/register', registration);
  }
  await caller.call('POST /api/client/metrics', { ...instance, bucket: { start: now - 60_000, stop: now, toggles } });
}
