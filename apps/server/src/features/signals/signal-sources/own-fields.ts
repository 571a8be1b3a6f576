import type { OwnFields, SignalSourceName } from '@yardarm/contract';
import { badField } from '#kernel/errors.ts';
import { pathProblem } from '#kernel/payload-path.ts';
import type { Identity, SignalFields } from './recognition/index.ts';
import { inPayload, type SignalSource, signalSources } from './sources/index.ts';

/** The settings of an endpoint that say how its signals are read. */
export interface SenderSettings {
  readonly source: SignalSourceName;
  /** The paths of the recognised fields that the owner of the endpoint set; only for the source `generic`. */
  readonly fields: OwnFields | null;
}

/** Returns the source of an endpoint, with the paths that the owner of the endpoint set. */
export function sourceOf({ source, fields }: SenderSettings): SignalSource {
  const known = signalSources[source];
  if (fields === null) return known;
  const own = signalFieldsOf(fields);
  const { deliveryId } = fields;
  if (deliveryId === undefined) return { ...known, fields: own };
  return { ...known, fields: own, deliveryIds: { signed: null, unsigned: inPayload(deliveryId) } };
}

function signalFieldsOf({ deliveryId: _, fingerprint, elements, ...paths }: OwnFields): SignalFields {
  const identity: Identity = { kinds: namedBy(fingerprint), otherwise: 'state' };
  if (elements === undefined) return { ...paths, identity };
  const { fingerprint: ofElement, ...elementPaths } = elements;
  // The labels name an element without a fingerprint, so that the end of one does not end the others.
  const labels = { kind: 'labels', name: [{ hashOf: 'labels' }], hasState: true, start: 'occurrence' } as const;
  const elementIdentity: Identity = {
    kinds: [...namedBy(ofElement), labels],
    otherwise: 'state',
    former: ofElement ?? [],
  };
  return { ...paths, identity, elements: { ...elementPaths, identity: elementIdentity } };
}

function namedBy(path: string | undefined): Identity['kinds'] {
  return path === undefined ? [] : [{ kind: null, name: [path], hasState: true, start: 'occurrence' }];
}

/** Throws a 400 that names the first invalid path, or when paths are set for a source that defines its own. */
export function checkOwnFields({ source, fields }: SenderSettings): void {
  if (fields === null) return;
  if (source !== 'generic')
    throw badField(
      'fields',
      `can be set for the source generic only: ${signalSources[source].displayName} has its own`,
    );
  const { elements, ...paths } = fields;
  for (const [name, path] of Object.entries(paths)) requirePath(`fields.${name}`, path);
  for (const [name, path] of Object.entries(elements ?? {})) requirePath(`fields.elements.${name}`, path);
}

/** Throws a 400 for an invalid path of values to drop or to hash. */
export function checkRedactedPaths(field: 'dropped' | 'hashed', paths: readonly string[]): void {
  for (const [index, path] of paths.entries()) {
    requirePath(`${field}.${index}`, path);
    if (path.includes('['))
      throw badField(`${field}.${index}`, 'must not contain an index: a path applies to each element of an array');
  }
}

function requirePath(field: string, path: string | undefined): void {
  const problem = path === undefined ? undefined : pathProblem(path);
  if (problem !== undefined) throw badField(field, problem);
}
