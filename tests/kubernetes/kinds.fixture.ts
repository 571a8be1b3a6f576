// Types of the objects in deploy/kubernetes, which the files there are checked against. The types of Kubernetes itself
// are generated from the OpenAPI document of its API.
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';

export type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
export type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts';
export type { ConfigMap, Service, ServiceAccount } from 'kubernetes-types/core/v1.d.ts';
export type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
export type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';

/** The fields of the Prometheus Operator's ServiceMonitor that are used here. */
export interface ServiceMonitor {
  readonly apiVersion: 'monitoring.coreos.com/v1';
  readonly kind: 'ServiceMonitor';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly endpoints: readonly { readonly port: string; readonly path: string; readonly interval: string }[];
  };
}

/** The fields of a kustomization that are used here. */
interface Kustomize {
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly behavior?: 'create' | 'merge';
    readonly literals: readonly string[];
  }[];
  readonly patches?: readonly {
    readonly target: { readonly kind: string; readonly name: string };
    readonly patch: string;
  }[];
}

export interface Kustomization extends Kustomize {
  readonly apiVersion: 'kustomize.config.k8s.io/v1beta1';
  readonly kind: 'Kustomization';
}

export interface Component extends Kustomize {
  readonly apiVersion: 'kustomize.config.k8s.io/v1alpha1';
  readonly kind: 'Component';
}
