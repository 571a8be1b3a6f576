/** The URL and the credential with which the example administers Yardarm. */
export interface Administrator {
  readonly url: string;
  /** An admin token, or the token of a user or service account with permissions for all calls of this file. */
  readonly token: string;
}

/** Calls the administration API and returns its JSON. Rejects with the server's message when it refuses. */
export async function call<T>({ url, token }: Administrator, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/admin/${path}`, {
    method,
    headers: { Authorization: token, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} /api/admin/${path} was answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

interface Created {
  readonly id: number;
}

export const project = 'default';
export const environment = 'development';

/** The objects that the example creates in Yardarm. */
export interface SetUp {
  readonly endpointId: number;
  /** The token of the signal endpoint. Yardarm returns it only once, when it is created. */
  readonly signalToken: string;
  /** The token of the SDK in the shop. Yardarm returns it only once, when it is created. */
  readonly serviceToken: string;
  readonly actionSetId: number;
}

/** Creates a flag that is off, a signal endpoint, a service account, and the action set that connects them. */
export async function setUp(admin: Administrator, flag: string): Promise<SetUp> {
  await call(admin, 'POST', `projects/${project}/features`, { name: flag });
  const { secret: serviceToken } = await call<{ secret: string }>(admin, 'POST', 'api-tokens', {
    tokenName: 'shop',
    type: 'backend',
    environment,
  });

  const endpoint = await call<Created>(admin, 'POST', 'signal-endpoints', {
    name: 'alertmanager',
    source: 'alertmanager',
  });
  const { token: signalToken } = await call<{ token: string }>(
    admin,
    'POST',
    `signal-endpoints/${endpoint.id}/tokens`,
    {
      name: 'alertmanager',
    },
  );

  const actorId = await createActor(admin);
  const set = setOfActions({ endpointId: endpoint.id, actorId, flag });
  const { id: actionSetId } = await call<Created>(admin, 'POST', `projects/${project}/actions`, set);
  return { endpointId: endpoint.id, signalToken, serviceToken, actionSetId };
}

/** Switches the flag on. A flag without strategies is then on for everyone. */
export async function switchOn(admin: Administrator, flag: string): Promise<void> {
  await call(admin, 'POST', `projects/${project}/features/${flag}/environments/${environment}/on`);
}

/**
 * Creates the account that the actions run as. It may switch flags in one environment of one project, so an alert
 * cannot do more.
 */
async function createActor(admin: Administrator): Promise<number> {
  const account = await call<Created>(admin, 'POST', 'service-account', {
    username: 'alerts',
    name: 'Alerts',
    rootRole: 'Viewer',
  });
  const { roles: role } = await call<{ roles: Created }>(admin, 'POST', 'roles', {
    name: 'Switches flags in development',
    type: 'custom',
    permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment }],
  });
  await call(admin, 'POST', `projects/${project}/access`, { roles: [role.id], users: [account.id], groups: [] });
  return account.id;
}

/** Returns the action set: it holds the flag off while an alert fires, and releases it when the alert is resolved. */
function setOfActions({ endpointId, actorId, flag }: { endpointId: number; actorId: number; flag: string }) {
  const status = (value: 'firing' | 'resolved') => ({ 'item.status': { operator: 'IN', values: [value] } });
  return {
    name: 'Hold the flag that an alert names',
    actorId,
    match: {
      source: 'signal-endpoint',
      sourceId: endpointId,
      // Alertmanager sends several alerts in one request. The actions run for each that passes the filter, as `item`.
      forEach: 'alerts',
      payload: status('firing'),
      // A hold belongs to one alert: when two alerts hold the flag, it is released when both are resolved.
      release: status('resolved'),
    },
    // The flag's name comes from a label that the sender writes, so the set lists the flags that it may hold.
    allow: { flags: [flag] },
    actions: [
      {
        action: 'HOLD_FEATURE',
        sortOrder: 1,
        executionParams: {
          project,
          environment,
          featureName: '{{item.labels.feature_flag}}',
          effect: 'off',
          // Without a "resolved" alert, the hold expires after two hours.
          minutes: 120,
          reason: 'Alert {{item.labels.alertname}}',
        },
      },
    ],
    // After five changes within an hour, such as off, on, off, on, off, the flag stays off until an hour has fewer
    // changes.
    guards: { flapping: { changes: 5, withinSeconds: 3600 } },
  };
}
