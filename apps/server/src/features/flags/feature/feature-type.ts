import type { featureTypeIds } from '@yardarm/contract';

export type FeatureTypeId = (typeof featureTypeIds)[number];

/** A kind of flag, with the days after which one that is still there may be forgotten; null: never. */
export interface FeatureType {
  readonly id: FeatureTypeId;
  readonly name: string;
  readonly description: string;
  readonly lifetimeDays: number | null;
}
