/**
 * An OpenFeature provider for OFREP as its published source describes it: its requests, and the fields that it reads.
 */
export interface PublishedProvider {
  readonly name: string;
  readonly version: string;
  /** Where it was read: a repository with a commit, and its licence. */
  readonly source: string;
  /** Returns the body of the request for a flag. */
  readonly body: (targetingKey: string, attributes: Readonly<Record<string, unknown>>) => object;
  /** The reasons that it knows; another one makes the evaluation fail. */
  readonly reasons: readonly string[];
  /** The keys that it reads without a default: a missing one makes the evaluation fail. */
  readonly required: readonly string[];
  /** The keys of an error (400) that it reads without a default. */
  readonly requiredOfError: readonly string[];
}

export const publishedProviders: readonly PublishedProvider[] = [
  {
    name: 'openfeature-provider-ofrep (Python)',
    version: '0.3.0',
    source:
      'open-feature/python-sdk-contrib 92c5f49, providers/openfeature-provider-ofrep, and the reasons of open-feature/python-sdk (both Apache-2.0)',
    body: (targetingKey, attributes) => ({ context: { targetingKey, ...attributes } }),
    reasons: ['CACHED', 'DEFAULT', 'DISABLED', 'ERROR', 'STATIC', 'SPLIT', 'TARGETING_MATCH', 'UNKNOWN', 'STALE'],
    required: ['reason', 'variant'],
    requiredOfError: ['errorCode', 'errorDetails'],
  },
];
