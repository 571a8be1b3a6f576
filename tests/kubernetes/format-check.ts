import type { Manifest } from './render.ts';

const enums: Readonly<Record<string, readonly string[]>> = {
  accessModes: ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany'],
  drop: ['ALL'],
  fsGroupChangePolicy: ['OnRootMismatch', 'Always'],
  imagePullPolicy: ['Always', 'IfNotPresent', 'Never'],
  pathType: ['Exact', 'Prefix', 'ImplementationSpecific'],
  policyTypes: ['Ingress', 'Egress'],
  protocol: ['TCP', 'UDP', 'SCTP'],
  unhealthyPodEvictionPolicy: ['IfHealthyBudget', 'AlwaysAllow'],
  whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
  'metrics/type': ['Resource', 'ContainerResource', 'Pods', 'Object', 'External'],
  'policies/type': ['Pods', 'Percent'],
  'seccompProfile/type': ['RuntimeDefault'],
  'spec/type': ['ClusterIP', 'NodePort', 'LoadBalancer'],
  'strategy/type': ['RollingUpdate', 'Recreate'],
  'target/type': ['Utilization', 'AverageValue', 'Value'],
  'updateStrategy/type': ['RollingUpdate', 'OnDelete'],
};

const name = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const label = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/;
const valueOfLabel = /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
const quantity = /^\d+(\.\d+)?(m|k|[KMGT]i?)?$/;

/**
 * The patterns of values that the Kubernetes API checks beyond the types of its schema. Keys are the field's name, with
 * that of its parent where needed.
 */
const patterns: Readonly<Record<string, RegExp>> = {
  'metadata/name': name,
  'ports/name': /^(?=.*[a-z])[a-z0-9-]{1,15}$/,
  cpu: quantity,
  memory: quantity,
  storage: quantity,
  interval: /^\d+(ms|s|m|h)$/,
  host: /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/,
};
const mapsOfLabels = ['labels', 'matchLabels', 'selector'];

/** Returns the problems of values that have the type of the schema but that the Kubernetes API would refuse. */
export function formatProblems(object: Manifest): string[] {
  return problemsOf(object, [object.kind, object.metadata.name], '');
}

function problemsOf(value: unknown, path: readonly string[], parent: string): string[] {
  const key = path.at(-1) ?? '';
  if (Array.isArray(value)) return value.flatMap((item, at) => problemsOf(item, [...path, `${at}`], key));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) =>
      problemsOf(inner, [...path, name], /^\d+$/.test(key) ? parent : key),
    );
  }
  const problem = problemOf(value, /^\d+$/.test(key) ? parent : key, parent);
  return problem === undefined ? [] : [`${path.join('/')}: ${JSON.stringify(value)} ${problem}`];
}

function problemOf(value: unknown, key: string, parent: string): string | undefined {
  if (value === null) return 'is empty';
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? undefined : 'is no whole number';
  const allowed = enums[`${parent}/${key}`] ?? enums[key];
  if (allowed !== undefined && !allowed.includes(value as string)) return `is none of ${allowed.join(', ')}`;
  const pattern = patterns[`${parent}/${key}`] ?? patterns[key];
  const isOfTarget = parent === 'resource';
  if (pattern !== undefined && !isOfTarget && !pattern.test(String(value))) return `does not match ${pattern}`;
  const isLabel = mapsOfLabels.includes(parent);
  if (isLabel && !(label.test(key) && valueOfLabel.test(String(value)))) return `is no label ${key}`;
  return undefined;
}
