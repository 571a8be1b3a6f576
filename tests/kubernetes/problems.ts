import { formatProblems } from './format-check.ts';
import { networkProblems } from './network-check.ts';
import type { Manifest } from './render.ts';
import { typeProblems } from './type-check.ts';
import { workloadProblems } from './workload-check.ts';

/** Returns all that is known to be wrong with the objects of an installation. */
export function allProblems(objects: readonly Manifest[]): string[] {
  const named = Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
  return [
    ...typeProblems(named),
    ...objects.flatMap(formatProblems),
    ...workloadProblems(objects),
    ...networkProblems(objects),
  ];
}
