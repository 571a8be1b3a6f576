import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ListedPlans, type Now, releasePlansQuery } from '../../entities/holds/now-queries.ts';
import { counted } from '../../ui/counted.ts';
import { isStopped } from '../release-plans/index.ts';
import { listLimits } from './list-limits.ts';

interface Part {
  /** The title of the section. */
  readonly section: string;
  /** The number of lines in the section. */
  readonly count: number;
  readonly text: string;
}

/**
 * Shows the number of lines in each section, as buttons that scroll to it, because the first section is long when many
 * alerts fire. Renders nothing when the page has a single line.
 */
export function Summary({ now }: { readonly now: Now }) {
  const plans = useQuery(releasePlansQuery);
  const parts = [...partsOf(now), ...(plans.data === undefined ? [] : [planPart(plans.data)])].filter(
    ({ count }) => count > 0,
  );
  if (parts.reduce((lines, { count }) => lines + count, 0) < 2) return null;
  return (
    <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Summary">
      {parts.map(({ section, text }) => (
        <Text key={section} size="sm" component="li">
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            ta="start"
            onClick={() => show(section)}
          >
            {text}
          </Anchor>
        </Text>
      ))}
    </Group>
  );
}

function partsOf(now: Now): Part[] {
  const { holdsTotal, overrides, loop, silent, blocked, runs, refusals, safeguardsWithoutData } = now;
  const undecided = now.undecided?.length ?? 0;
  const alerts = now.alertsWithoutEffectTotal ?? 0;
  const requests = now.waitingForMe.length;
  const stopped = loop !== null && loop.stoppedAt !== null ? 1 : 0;
  const trouble =
    stopped +
    silent.length +
    safeguardsWithoutData.length +
    (blocked?.length ?? 0) +
    (runs?.length ?? 0) +
    (refusals?.length ?? 0);
  return [
    {
      section: 'Waits for you',
      count: undecided,
      text: `${atLeast(now, 'undecided')}${counted(undecided, 'run waits for you', 'runs wait for you')}`,
    },
    { section: 'Held flags', count: holdsTotal, text: heldText(now) },
    {
      section: 'Automation overridden',
      count: overrides.length,
      text: counted(overrides.length, 'override'),
    },
    {
      section: 'Alerts without effect',
      count: alerts,
      text: counted(alerts, 'alert without effect', 'alerts without effect'),
    },
    {
      section: 'Needs attention',
      count: trouble,
      text: `${atLeast(now, 'runs', 'refusals', 'blocked', 'safeguardsWithoutData')}${counted(trouble, 'needs attention', 'need attention')}`,
    },
    {
      section: 'Change requests',
      count: requests,
      text: `${atLeast(now, 'waitingForMe')}${counted(requests, 'change request waits for you', 'change requests wait for you')}`,
    },
  ];
}

/** Returns "at least " when one of these lists is as long as it can be, so that it may have left out others. */
function atLeast(now: Now, ...lists: readonly (keyof typeof listLimits)[]): string {
  return lists.some((list) => (now[list]?.length ?? 0) >= listLimits[list]) ? 'at least ' : '';
}

/** Returns the number of release plans that go on only after a person does something or a hold ends. */
function planPart({ releasePlans, total }: ListedPlans): Part {
  const count = releasePlans.filter(({ progress }) => isStopped(progress.state)).length;
  // Such plans come first in the list. When the list has no others, plans that it does not have may be such, too.
  const least = count === releasePlans.length && count < total ? 'at least ' : '';
  const text = `${least}${counted(count, 'release plan halted or paused', 'release plans halted or paused')}`;
  return { section: 'Release plans', count, text };
}

/** Returns the number of held flags and of their holds: "6 flags held, by 60 holds". */
function heldText({ holds, holdsTotal }: Pick<Now, 'holds' | 'holdsTotal'>): string {
  const flags = new Set(holds.map(({ featureName }) => featureName)).size;
  // Only the newest holds are listed; older ones may hold more flags.
  const least = holdsTotal > holds.length ? 'at least ' : '';
  return `${least}${counted(flags, 'flag')} held${flags === holdsTotal ? '' : `, by ${counted(holdsTotal, 'hold')}`}`;
}

function show(section: string): void {
  document.querySelector(`section[aria-label="${section}"]`)?.scrollIntoView();
}
