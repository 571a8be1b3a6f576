import type { Container, Service } from 'kubernetes-types/core/v1.d.ts';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { loadConfig } from '../../apps/server/src/config/load.ts';
import type { HorizontalPodAutoscaler, ServiceMonitor } from './kinds.fixture.ts';
import { type Labels, objectsOf, selects, servicesOf, variablesOf, type Workload, workloadOf } from './objects.ts';
import type { Manifest } from './render.ts';

const defaults = loadConfig({});

/** Returns what is wrong with the network traffic that a rendered folder allows to and from its pods. */
export function networkProblems(objects: readonly Manifest[]): string[] {
  const workload = workloadOf(objects);
  return [
    ...selectorProblems(workload, objects),
    ...portProblems(workload, objects),
    ...egressProblems(workload, objects),
    ...objectsOf<Ingress>(objects, 'Ingress').flatMap((ingress) => ingressProblems(ingress, objects)),
    ...objectsOf<ServiceMonitor>(objects, 'ServiceMonitor').flatMap((monitor) => monitorProblems(monitor, objects)),
  ];
}

function selectorProblems({ kind, spec, pod, labels }: Workload, objects: readonly Manifest[]): string[] {
  const policies = objectsOf<NetworkPolicy>(objects, 'NetworkPolicy');
  const budgets = objectsOf<PodDisruptionBudget>(objects, 'PodDisruptionBudget');
  const selectors: [string, Labels | undefined][] = [
    [kind, spec.selector.matchLabels],
    ...(pod.topologySpreadConstraints ?? []).map(({ labelSelector }): [string, Labels | undefined] => [
      'topologySpreadConstraints',
      labelSelector?.matchLabels,
    ]),
    ...policies.map(({ spec }): [string, Labels | undefined] => ['NetworkPolicy', spec?.podSelector.matchLabels]),
    ...budgets.map(({ spec }): [string, Labels | undefined] => ['PodDisruptionBudget', spec?.selector?.matchLabels]),
    ...servicesOf(objects)
      .filter(({ spec }) => spec?.selector !== undefined)
      .map(({ spec }): [string, Labels | undefined] => ['Service', spec?.selector]),
  ];
  const autoscalers = objectsOf<HorizontalPodAutoscaler>(objects, 'HorizontalPodAutoscaler');
  return [
    ...selectors.filter(([, selector]) => !selects(selector, labels)).map(([of]) => `${of} does not select the pods`),
    ...autoscalers
      .map(({ spec }) => spec?.scaleTargetRef)
      .filter((target) => !objects.some((it) => it.kind === target?.kind && it.metadata.name === target.name))
      .map((target) => `HorizontalPodAutoscaler scales ${target?.kind} ${target?.name}, which does not exist`),
    ...(kind === 'Deployment' && budgets.length === 0 ? ['there is no PodDisruptionBudget'] : []),
    ...(policies.length === 0 ? ['there is no NetworkPolicy'] : []),
  ];
}

function portProblems({ pod }: Workload, objects: readonly Manifest[]): string[] {
  const [main] = pod.containers as [Container];
  const named = (main.ports ?? []).map(({ name }) => name);
  const listens = Number(variablesOf(main, objects)['PORT'] ?? defaults.port);
  const used = [
    ...[main.startupProbe, main.readinessProbe, main.livenessProbe].map((probe) => ['a probe', probe?.httpGet?.port]),
    ...servicesOf(objects)
      .filter(({ spec }) => spec?.selector !== undefined)
      .flatMap(({ spec }) => (spec?.ports ?? []).map(({ targetPort }) => ['Service', targetPort])),
    ...objectsOf<NetworkPolicy>(objects, 'NetworkPolicy').flatMap(({ spec }) =>
      (spec?.ingress ?? []).flatMap(({ ports = [] }) => ports.map(({ port }) => ['NetworkPolicy', port])),
    ),
  ];
  return [
    ...used
      .filter(([, port]) => !named.includes(port as string))
      .map(([of, port]) => `${of} uses the unknown port ${port}`),
    ...(main.ports?.some(({ containerPort }) => containerPort === listens) ? [] : [`no port is ${listens}`]),
  ];
}

function egressProblems({ pod }: Workload, objects: readonly Manifest[]): string[] {
  const rules = objectsOf<NetworkPolicy>(objects, 'NetworkPolicy').flatMap(({ spec }) => spec?.egress ?? []);
  const open = rules.flatMap(({ ports = [] }) => ports.map(({ protocol, port }) => `${protocol} ${port}`));
  const usesPostgres = pod.containers.some(({ env = [] }) => env.some(({ name }) => name === 'DATABASE_URL_FILE'));
  const needed = ['TCP 53', 'UDP 53', 'TCP 443', ...(usesPostgres ? ['TCP 5432'] : [])];
  return [...needed.filter((port) => !open.includes(port)), ...open.filter((port) => !needed.includes(port))].map(
    (port) => `NetworkPolicy lets out ${open.includes(port) ? 'also' : 'not'} ${port}`,
  );
}

function ingressProblems({ metadata, spec }: Ingress, objects: readonly Manifest[]): string[] {
  const notes = metadata?.annotations ?? {};
  const paths = (spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? []);
  const hosts = (spec?.rules ?? []).map(({ host }) => host);
  const encrypted = (spec?.tls ?? []).flatMap((tls) => tls.hosts ?? []);
  const timeouts = ['nginx.ingress.kubernetes.io/proxy-read-timeout', 'nginx.org/proxy-read-timeout'];
  const sizes = ['nginx.ingress.kubernetes.io/proxy-body-size', 'nginx.org/client-max-body-size'];
  const published = ['/metrics', '/internal-backstage/prometheus'].filter((path) => {
    const longest = paths
      .filter((it) => isBelow(path, it.path ?? ''))
      .toSorted((a, b) => length(b.path) - length(a.path));
    return serviceOf(longest[0]?.backend.service?.name, objects)?.spec?.selector !== undefined;
  });
  return [
    ...paths.flatMap(({ backend: { service } }) =>
      serviceOf(service?.name, objects)?.spec?.ports?.some(({ name }) => name === service?.port?.name)
        ? []
        : [`Ingress uses the Service ${service?.name}, which has no port ${service?.port?.name}`],
    ),
    ...published.map((path) => `Ingress publishes ${path}`),
    ...(paths.some(({ path, backend }) => path === '/' && backend.service?.name === 'yardarm')
      ? []
      : ['/ is not published']),
    ...hosts.filter((host) => !encrypted.includes(host as string)).map((host) => `Ingress has no TLS for ${host}`),
    ...timeouts
      .filter((name) => !(Number.parseInt(notes[name] ?? '', 10) > 2 * defaults.streamHeartbeatSeconds))
      .map((name) => `${name} ends streams`),
    ...sizes
      .filter((name) => Number.parseInt(notes[name] ?? '', 10) * 1024 ** 2 !== defaults.importMaxBodyBytes)
      .map((name) => `${name} is not YARDARM_IMPORT_MAX_BODY_BYTES`),
    ...(notes['nginx.ingress.kubernetes.io/proxy-buffering'] === 'off' ? [] : ['Ingress-NGINX buffers streams']),
    ...(notes['nginx.org/proxy-buffering'] === 'false' ? [] : ['NGINX Ingress Controller buffers streams']),
  ];
}

const length = (path: string | undefined) => path?.length ?? 0;
const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(prefix.replace(/\/?$/, '/'));

function serviceOf(name: string | undefined, objects: readonly Manifest[]): Service | undefined {
  return servicesOf(objects).find(({ metadata }) => metadata?.name === name);
}

function monitorProblems({ spec }: ServiceMonitor, objects: readonly Manifest[]): string[] {
  const selected = servicesOf(objects).filter(({ metadata }) =>
    selects(spec.selector.matchLabels, metadata?.labels ?? {}),
  );
  const ports = selected.flatMap((service) => service.spec?.ports ?? []).map(({ name }) => name);
  return [
    ...(selected.map(({ metadata }) => metadata?.name).join() === 'yardarm'
      ? []
      : ['ServiceMonitor selects another Service']),
    ...spec.endpoints
      .filter(({ port }) => !ports.includes(port))
      .map(({ port }) => `ServiceMonitor reads no port ${port}`),
  ];
}
