import { Anchor, Group, Text } from '@mantine/core';
import { counted } from '../../ui/counted.ts';
import type { Now } from './now-queries.ts';

interface Part {
  /** The title of the section. */
  readonly section: string;
  readonly text: string;
}

/** The number of lines in each section, with buttons that show it: in a storm the first section is long. */
export function Summary({ now }: { readonly now: Now }) {
  const parts = partsOf(now);
  if (parts.length < 2) return null;
  return (
    <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Summary">
      {parts.map(({ section, text }) => (
        <Text key={section} size="sm" component="li">
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => show(section)}>
            {text}
          </Anchor>
        </Text>
      ))}
    </Group>
  );
}

function partsOf({
  holds,
  holdsTotal,
  overrides,
  alertsWithoutEffectTotal: alerts,
  silent,
  blocked,
  runs,
  refusals,
}: Now): Part[] {
  const flags = new Set(holds.map(({ featureName, environment }) => `${environment}/${featureName}`)).size;
  const trouble = silent.length + (blocked?.length ?? 0) + (runs?.length ?? 0) + (refusals?.length ?? 0);
  const held = `${counted(flags, 'flag')} held${flags === holdsTotal ? '' : `, by ${counted(holdsTotal, 'hold')}`}`;
  const all: readonly (Part & { readonly count: number })[] = [
    { section: 'Held flags', count: holdsTotal, text: held },
    {
      section: 'Automation overridden',
      count: overrides.length,
      text: counted(overrides.length, 'override'),
    },
    {
      section: 'Alerts without effect',
      count: alerts ?? 0,
      text: counted(alerts ?? 0, 'alert without effect', 'alerts without effect'),
    },
    {
      section: 'Needs attention',
      count: trouble,
      text: counted(trouble, 'needs attention', 'need attention'),
    },
  ];
  return all.filter(({ count }) => count > 0);
}

function show(section: string): void {
  document.querySelector(`section[aria-label="${section}"]`)?.scrollIntoView();
}
