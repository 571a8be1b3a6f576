import type { featureTypeIds } from '@yardarm/contract';

export type FeatureTypeId = (typeof featureTypeIds)[number];

/** A kind of flag, with the days after which one that is still there may be forgotten; null: never. */
export interface FeatureType {
  readonly id: FeatureTypeId;
  readonly name: string;
  readonly description: string;
  readonly lifetimeDays: number | null;
}

/** Lifetimes: unleash-facts 6.2. */
export const featureTypes: readonly FeatureType[] = [
  {
    id: 'release',
    name: 'Release',
    description: 'Lets unfinished work be deployed and shown to a growing share of users.',
    lifetimeDays: 40,
  },
  {
    id: 'experiment',
    name: 'Experiment',
    description: 'Compares two or more ways of doing something by what users do.',
    lifetimeDays: 40,
  },
  {
    id: 'operational',
    name: 'Operational',
    description: 'Controls a risk of operation while it lasts, such as a move to another backend.',
    lifetimeDays: 7,
  },
  {
    id: 'kill-switch',
    name: 'Kill switch',
    description: 'Turns off a part of the system when it does harm.',
    lifetimeDays: null,
  },
  {
    id: 'permission',
    name: 'Permission',
    description: 'Decides what some users may use and others may not.',
    lifetimeDays: null,
  },
  {
    id: 'sunset',
    name: 'Sunset',
    description: 'Takes something that is to be retired away from a growing share of users.',
    lifetimeDays: 90,
  },
];
