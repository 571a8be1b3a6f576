import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { ConfigMap, Container, PodSpec, Service } from 'kubernetes-types/core/v1.d.ts';
import type { Manifest } from './render.ts';

/** A Deployment or StatefulSet, and the parts of it that the checks read. */
export interface Workload {
  readonly kind: string;
  readonly spec: NonNullable<Deployment['spec']> &
    Partial<Pick<NonNullable<StatefulSet['spec']>, 'volumeClaimTemplates'>>;
  readonly pod: PodSpec;
  readonly labels: Labels;
  readonly containers: readonly Container[];
}

export type Labels = Readonly<Record<string, string>>;

export function objectsOf<T>(objects: readonly Manifest[], kind: string): T[] {
  return objects.filter((object) => object.kind === kind) as T[];
}

/** Returns the only workload of a rendered folder. Throws when there is none, or more. */
export function workloadOf(objects: readonly Manifest[]): Workload {
  const found = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet') as (Manifest &
    Deployment)[];
  const [workload] = found;
  if (workload?.spec === undefined || found.length > 1) throw new Error(`there are ${found.length} workloads, not 1`);
  const pod = workload.spec.template.spec as PodSpec;
  return {
    kind: workload.kind,
    spec: workload.spec,
    pod,
    labels: workload.spec.template.metadata?.labels ?? {},
    containers: [...(pod.initContainers ?? []), ...pod.containers],
  };
}

export const servicesOf = (objects: readonly Manifest[]) => objectsOf<Service>(objects, 'Service');

/**
 * Returns whether a selector selects objects with these labels; false for an empty or missing one, which is a mistake.
 */
export function selects(selector: Labels | undefined, labels: Labels): boolean {
  const wanted = Object.entries(selector ?? {});
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

/** Returns the environment variables of a container, with those of its maps. Throws when a map is missing. */
export function variablesOf(container: Container, objects: readonly Manifest[]): Record<string, string> {
  const maps = objectsOf<ConfigMap>(objects, 'ConfigMap');
  const fromMaps = (container.envFrom ?? []).map(({ configMapRef }) => {
    const map = maps.find(({ metadata }) => metadata?.name === configMapRef?.name);
    if (map === undefined) throw new Error(`there is no ConfigMap ${configMapRef?.name}`);
    return map.data ?? {};
  });
  const own = (container.env ?? []).map(({ name, value = '' }) => [name, value] as const);
  return Object.assign({}, ...fromMaps, Object.fromEntries(own));
}
