import type { featureTypeIds } from '@yardarm/contract';

export type FeatureTypeId = (typeof featureTypeIds)[number];

/** A flag type with the expected lifetime of its flags; null for no limit. */
export interface FeatureType {
  readonly id: FeatureTypeId;
  readonly name: string;
  readonly description: string;
  readonly lifetimeDays: number | null;
}
