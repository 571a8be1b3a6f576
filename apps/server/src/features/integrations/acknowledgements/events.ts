import { isoTime } from '#kernel/clock.ts';
import type { OpenItem } from './open.ts';

/** The number of items that an event names. */
const maxNamed = 20;

/**
 * Returns the places and values of events about items: one for each project and environment, because that decides who
 * receives it. An event about one item of a flag names the flag.
 */
export function attentionEvents(items: readonly OpenItem[]) {
  const places = Map.groupBy(items, ({ project, environment }) => `${project} ${environment}`);
  return [...places.values()].flatMap((here) => {
    const [first] = here;
    if (first === undefined) return [];
    const { project, environment } = first;
    const isOfFlag = here.length === 1 && (first.kind === 'hold' || first.kind === 'plan');
    return {
      ...(project === null ? {} : { project }),
      ...(environment === null ? {} : { environment }),
      ...(isOfFlag ? { featureName: first.name } : {}),
      data: {
        items: here.slice(0, maxNamed).map(({ subject, kind, name, since }) => ({
          ...{ subject, kind, name, since: isoTime(since) },
        })),
        total: here.length,
      },
    };
  });
}
