/** Kind of the object, path of the field in it, and the value that is planted; undefined removes the field. */
export type Plant = readonly [kind: string, field: string, value: unknown];

type Mistake = readonly [name: string, folder: string, plant: Plant, problem: RegExp];

const pod = 'spec/template/spec';
const main = `${pod}/containers/0`;
const postgres = 'overlays/postgres';
const sqlite = 'overlays/sqlite';
const example = 'example';

/** Mistakes in rendered folders, each with the problem that has to be reported. */
export function plantedMistakes(): readonly Mistake[] {
  return [...mistakesOfTypes, ...mistakesOfPods, ...mistakesOfReplicas, ...mistakesOfNetworks];
}

/** Sets a field of an object, or removes it. Throws when there is nothing at the path above it. */
export function plant(object: Record<string, unknown>, field: string, value: unknown): void {
  const keys = field.split('/').map((key) => key.replaceAll('~1', '/'));
  const last = keys.pop() as string;
  const parent = keys.reduce((at, key) => at[key] as Record<string, unknown>, object);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

const mistakesOfTypes: readonly Mistake[] = [
  ['an unknown field', postgres, ['Deployment', `${main}/livenesProbe`, {}], /livenesProbe/],
  ['a missing field', postgres, ['Deployment', 'spec/selector', { matchLabel: {} }], /matchLabel/],
  ['a text for a number', postgres, ['HorizontalPodAutoscaler', 'spec/maxReplicas', '6'], /maxReplicas/],
  ['a number for a text', example, ['ConfigMap', 'data/LOG_LEVEL', 3], /LOG_LEVEL.*not assignable/],
  ['another version of the API', postgres, ['PodDisruptionBudget', 'apiVersion', 'policy/v1beta1'], /apiVersion/],
  ['an unknown kind', postgres, ['ServiceAccount', 'kind', 'Serviceaccount'], /Serviceaccount/],
  ['an unknown field of a custom kind', example, ['ServiceMonitor', 'spec/endpoints/0/pth', '/'], /pth/],
  ['an unknown value', example, ['Ingress', 'spec/rules/0/http/paths/0/pathType', 'prefix'], /none of Exact/],
  ['a wrong quantity', postgres, ['Deployment', `${main}/resources/limits/memory`, '512MB'], /memory.*does not match/],
  ['a wrong name', postgres, ['Service', 'metadata/name', 'Yardarm'], /Yardarm.*does not match/],
  ['a fraction', postgres, ['Deployment', 'spec/strategy/rollingUpdate/maxSurge', 0.5], /no whole number/],
  ['an empty value', postgres, ['Deployment', `${main}/args/0`, null], /is empty/],
];

const mistakesOfPods: readonly Mistake[] = [
  ['an unknown setting', postgres, ['ConfigMap', 'data/LOGLEVEL', 'warn'], /LOGLEVEL.*is not a setting/],
  ['an invalid setting', postgres, ['ConfigMap', 'data/LOG_LEVEL', 'loud'], /LOG_LEVEL must be/],
  ['a secret in a map', postgres, ['ConfigMap', 'data/UNLEASH_SECRET', 'a'], /UNLEASH_SECRET is a secret/],
  ['a secret from elsewhere', postgres, ['Deployment', `${main}/env/0/value`, '/etc/url'], /outside the Secret/],
  ['an unknown secret', postgres, ['Deployment', `${main}/env/1/name`, 'UNLEASH_SECRETS_FILE'], /not a setting/],
  ['a short grace period', postgres, ['Deployment', `${pod}/terminationGracePeriodSeconds`, 15], /at least 20,/],
  ['a long delay', postgres, ['ConfigMap', 'data/YARDARM_SHUTDOWN_DELAY', '20000'], /at least 35,/],
  ['a missing probe', postgres, ['Deployment', `${main}/livenessProbe`, undefined], /no livenessProbe/],
  ['a slow probe', postgres, ['Deployment', `${main}/readinessProbe/timeoutSeconds`, 9], /longer than its period/],
  ['a short start', sqlite, ['StatefulSet', `${main}/startupProbe/failureThreshold`, 5], /a start may take/],
  ['root', postgres, ['Deployment', `${pod}/securityContext/runAsNonRoot`, false], /runAsNonRoot/],
  ['another user', sqlite, ['StatefulSet', `${pod}/securityContext/runAsUser`, 1000], /runAsUser/],
  ['no seccomp profile', postgres, ['Deployment', `${pod}/securityContext/seccompProfile`, undefined], /seccomp/],
  ['unreadable secrets', postgres, ['Deployment', `${pod}/volumes/0/secret/defaultMode`, 440], /mode 0440/],
  ['a writable root', sqlite, ['StatefulSet', `${main}/securityContext/readOnlyRootFilesystem`, false], /readOnlyRoot/],
  ['escalation', postgres, ['Deployment', `${main}/securityContext/allowPrivilegeEscalation`, true], /Escalation/],
  ['capabilities', postgres, ['Deployment', `${main}/securityContext/capabilities`, undefined], /capabilities/],
  ['a token', postgres, ['Deployment', `${pod}/automountServiceAccountToken`, true], /automount/],
  ['links to Services', postgres, ['Deployment', `${pod}/enableServiceLinks`, undefined], /enableServiceLinks/],
  ['no bound of memory', postgres, ['Deployment', `${main}/resources/limits`, undefined], /memory of the container/],
  ['a missing volume', sqlite, ['StatefulSet', `${main}/volumeMounts/0/name`, 'dat'], /no volume dat/],
  ['no secrets', postgres, ['Deployment', `${pod}/initContainers/0/volumeMounts`, []], /migrate does not mount/],
  ['two images', postgres, ['Deployment', `${main}/image`, 'yardarm:1'], /different images/],
  ['no migration', sqlite, ['StatefulSet', `${pod}/initContainers/0/args`, ['migrat']], /does not migrate/],
  ['another command', postgres, ['Deployment', `${main}/args`, ['serve']], /does not start/],
];

const mistakesOfReplicas: readonly Mistake[] = [
  ['a number of replicas', postgres, ['Deployment', 'spec/replicas', 2], /resets what the autoscaler/],
  ['a gap', postgres, ['Deployment', 'spec/strategy/rollingUpdate/maxUnavailable', 1], /before a new one is ready/],
  ['one replica', postgres, ['HorizontalPodAutoscaler', 'spec/minReplicas', 1], /single replica/],
  ['many connections', postgres, ['HorizontalPodAutoscaler', 'spec/maxReplicas', 20], /210 connections/],
  ['two processes on SQLite', sqlite, ['StatefulSet', 'spec/replicas', 2], /one replica/],
  ['data in the image', sqlite, ['StatefulSet', `${main}/env/0/value`, '/var/data'], /not below the mounted volume/],
  ['data outside the claim', sqlite, ['StatefulSet', `${main}/volumeMounts/0/mountPath`, '/date'], /not below the/],
];

const mistakesOfNetworks: readonly Mistake[] = [
  [
    'other labels',
    postgres,
    ['Deployment', 'spec/template/metadata/labels', { app: 'a' }],
    /Deployment does not select/,
  ],
  ['another Service', sqlite, ['Service', 'spec/selector', { app: 'a' }], /Service does not select/],
  [
    'another budget',
    postgres,
    ['PodDisruptionBudget', 'spec/selector/matchLabels', {}],
    /PodDisruptionBudget does not/,
  ],
  ['another policy', postgres, ['NetworkPolicy', 'spec/podSelector/matchLabels', { a: 'b' }], /NetworkPolicy does not/],
  ['another target', postgres, ['HorizontalPodAutoscaler', 'spec/scaleTargetRef/name', 'a'], /scales Deployment a/],
  ['an unknown port of a probe', postgres, ['Deployment', `${main}/readinessProbe/httpGet/port`, 'web'], /port web/],
  ['an unknown port of a Service', postgres, ['Service', 'spec/ports/0/targetPort', 'web'], /Service uses the unknown/],
  ['an unknown port of a policy', postgres, ['NetworkPolicy', 'spec/ingress/0/ports/0/port', 80], /unknown port 80/],
  ['a port without a listener', postgres, ['Deployment', `${main}/ports/0/containerPort`, 8080], /no port is 4242/],
  ['no DNS', postgres, ['NetworkPolicy', 'spec/egress/0/ports/0/protocol', 'TCP'], /lets out not UDP 53/],
  ['an open port', sqlite, ['NetworkPolicy', 'spec/egress/0/ports/2/port', 5432], /lets out also TCP 5432/],
  ['an unknown Service', example, ['Ingress', 'spec/rules/0/http/paths/0/backend/service/name', 'a'], /Service a,/],
  ['public metrics', example, ['Ingress', 'spec/rules/0/http/paths/1/path', '/metric'], /publishes \/metrics/],
  ['no TLS', example, ['Ingress', 'spec/tls/0/hosts/0', 'a.example.com'], /no TLS for flags/],
  ['buffering', example, ['Ingress', 'metadata/annotations/nginx.org~1proxy-buffering', undefined], /buffers streams/],
  ['a selector of no Service', example, ['ServiceMonitor', 'spec/selector/matchLabels', { a: 'b' }], /another Service/],
  ['an unknown port of metrics', example, ['ServiceMonitor', 'spec/endpoints/0/port', 'web'], /reads no port web/],
];
