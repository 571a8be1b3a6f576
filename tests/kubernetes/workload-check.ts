import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import { loadConfig } from '../../apps/server/src/config/load.ts';
import type { Setting } from '../../apps/server/src/config/setting-types.ts';
import { settings } from '../../apps/server/src/config/settings.ts';
import { containerConfig } from '../../apps/server/testing/container-config.ts';
import { objectsOf, variablesOf, type Workload, workloadOf } from './objects.ts';
import type { Manifest } from './render.ts';

const user = 65532;
const secretFolder = '/run/secrets/yardarm/';
/** PostgreSQL's default for max_connections, less the 3 that it keeps for superusers. */
const connectionsOfPostgres = 97;

/** Returns what is wrong with the pods of a rendered folder: settings, times, replicas, privileges and volumes. */
export function workloadProblems(objects: readonly Manifest[]): string[] {
  const workload = workloadOf(objects);
  const autoscaler = objectsOf<HorizontalPodAutoscaler>(objects, 'HorizontalPodAutoscaler')[0];
  return [
    ...workload.containers.flatMap((container) => settingProblems(container, objects)),
    ...timeProblems(workload, objects),
    ...replicaProblems(workload, autoscaler, objects),
    ...podPrivilegeProblems(workload),
    ...workload.containers.flatMap(containerPrivilegeProblems),
    ...volumeProblems(workload, objects),
    ...imageProblems(workload),
  ];
}

const configOf = (container: Container, objects: readonly Manifest[]) =>
  containerConfig(variablesOf(container, objects));

function settingProblems(container: Container, objects: readonly Manifest[]): string[] {
  const secrets = Object.values<Setting>(settings)
    .filter(({ secret }) => secret === true)
    .flatMap(({ names }) => names);
  const variables = Object.entries(variablesOf(container, objects));
  const problems = variables.flatMap(([name, value]) => [
    ...(secrets.includes(name) ? [`${name} is a secret and is written out`] : []),
    ...(name.endsWith('_FILE') && !value.startsWith(secretFolder) ? [`${name} names a file outside the Secret`] : []),
  ]);
  try {
    configOf(container, objects);
  } catch (error) {
    problems.push(`${container.name}: ${(error as Error).message}`);
  }
  return problems;
}

function timeProblems({ pod, containers }: Workload, objects: readonly Manifest[]): string[] {
  const problems: string[] = [];
  const main = containers.at(-1) as Container;
  const { shutdownDelayMs, shutdownTimeoutMs, databaseUrl } = mayFail(() => configOf(main, objects)) ?? loadConfig({});
  const usual = Number(/(\d+) with PostgreSQL/.exec(settings.shutdownDelayMs.meaning)?.[1]);
  const stopMs = (shutdownDelayMs ?? (databaseUrl === undefined ? 0 : usual)) + shutdownTimeoutMs;
  if (!((pod.terminationGracePeriodSeconds ?? 30) * 1000 >= stopMs + 5000)) {
    problems.push(
      `terminationGracePeriodSeconds must be at least ${(stopMs + 5000) / 1000}, 5 s longer than a shutdown`,
    );
  }
  for (const kind of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
    const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1 } = main[kind] ?? {};
    if (main[kind] === undefined) problems.push(`there is no ${kind}`);
    if (timeoutSeconds > periodSeconds) problems.push(`${kind} takes longer than its period`);
    if (kind === 'startupProbe' && periodSeconds * failureThreshold < 60) problems.push('a start may take 60 s');
  }
  return problems;
}

function mayFail<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // `settingProblems` reports the error.
    return undefined;
  }
}

function replicaProblems(
  { kind, spec, pod, containers }: Workload,
  autoscaler: HorizontalPodAutoscaler | undefined,
  objects: readonly Manifest[],
): string[] {
  const config = mayFail(() => configOf(containers.at(-1) as Container, objects)) ?? loadConfig({});
  if (config.databaseUrl === undefined) {
    const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name);
    const mounts = pod.containers[0]?.volumeMounts?.filter(({ name }) => claims.includes(name)) ?? [];
    return [
      ...(kind === 'StatefulSet' && spec.replicas === 1 ? [] : ['SQLite needs a StatefulSet of one replica']),
      ...(autoscaler === undefined ? [] : ['SQLite must not be scaled']),
      ...(mounts.some(({ mountPath }) => config.dataDir.startsWith(`${mountPath}/`))
        ? []
        : [`${config.dataDir} is not below the mounted volume of a claim`]),
    ];
  }
  const { maxReplicas = 0, minReplicas = 1 } = autoscaler?.spec ?? {};
  const { maxSurge, maxUnavailable } = spec.strategy?.rollingUpdate ?? {};
  const connections = (maxReplicas + Number(maxSurge)) * config.databasePoolMax;
  return [
    ...(spec.replicas === undefined ? [] : ['replicas resets what the autoscaler has set']),
    ...(minReplicas >= 2 ? [] : ['a single replica cannot be replaced without a gap']),
    ...(maxUnavailable === 0 ? [] : ['a rollout stops a pod before a new one is ready']),
    ...(connections <= connectionsOfPostgres ? [] : [`${connections} connections are more than PostgreSQL allows`]),
  ];
}

function podPrivilegeProblems({ pod }: Workload): string[] {
  const context = pod.securityContext ?? {};
  const required = {
    automountServiceAccountToken: pod.automountServiceAccountToken === false,
    enableServiceLinks: pod.enableServiceLinks === false,
    serviceAccountName: pod.serviceAccountName === 'yardarm',
    runAsNonRoot: context.runAsNonRoot === true,
    runAsUser: context.runAsUser === user && context.runAsGroup === user,
    fsGroup: context.fsGroup === user,
    seccompProfile: context.seccompProfile?.type === 'RuntimeDefault',
  };
  return failed(required, 'the pod');
}

function containerPrivilegeProblems({ name, securityContext: context = {}, resources = {} }: Container): string[] {
  const required = {
    allowPrivilegeEscalation: context.allowPrivilegeEscalation === false,
    readOnlyRootFilesystem: context.readOnlyRootFilesystem === true,
    capabilities: context.capabilities?.drop?.[0] === 'ALL' && context.capabilities.add === undefined,
    privileged: context.privileged === undefined,
    memory:
      resources.requests?.['memory'] !== undefined && resources.requests['memory'] === resources.limits?.['memory'],
    cpu: resources.requests?.['cpu'] !== undefined && resources.limits?.['cpu'] === undefined,
  };
  return failed(required, `the container ${name}`);
}

function failed(required: Readonly<Record<string, boolean>>, where: string): string[] {
  return Object.entries(required).flatMap(([field, holds]) =>
    holds ? [] : [`${field} of ${where} is not as it has to be`],
  );
}

function volumeProblems({ spec, pod, containers }: Workload, objects: readonly Manifest[]): string[] {
  const claims = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name);
  const volumes = [...(pod.volumes ?? []).map(({ name }) => name), ...claims];
  const secrets = (pod.volumes ?? []).filter(({ secret }) => secret !== undefined);
  const mounted = secrets.map(({ name }) => name);
  return [
    ...containers.flatMap(({ name, volumeMounts = [] }) => [
      ...volumeMounts
        .filter((mount) => !volumes.includes(mount.name))
        .map((mount) => `there is no volume ${mount.name}`),
      ...(volumeMounts.some((mount) => mounted.includes(mount.name) && `${mount.mountPath}/` === secretFolder)
        ? []
        : [`${name} does not mount the Secret at ${secretFolder}`]),
    ]),
    ...secrets
      .filter(({ secret }) => secret?.defaultMode !== 0o440 || secret.secretName !== 'yardarm')
      .map(({ name }) => `the volume ${name} is not the Secret yardarm with the mode 0440`),
    ...(objectsOf(objects, 'ServiceAccount').length === 1 ? [] : ['there is no ServiceAccount']),
  ];
}

function imageProblems({ pod, containers }: Workload): string[] {
  const images = new Set(containers.map(({ image }) => image));
  const [first, ...others] = pod.initContainers ?? [];
  return [
    ...(images.size === 1 ? [] : [`the containers have different images: ${[...images].join(', ')}`]),
    ...(first?.args?.join() === 'migrate' && others.length === 0 ? [] : ['the pod does not migrate first']),
    ...(pod.containers.map(({ args }) => args?.join()).join() === 'start' ? [] : ['the pod does not start one server']),
  ];
}
