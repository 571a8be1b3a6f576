import { ColorSwatch, Group, Progress, Stack, Text } from '@mantine/core';
import { percent } from './weights.ts';

const colors = ['sea.7', 'orange.5', 'teal.6', 'grape.5', 'yellow.6', 'indigo.4', 'red.5', 'lime.7', 'gray.6'];

/** Returns the color of a variant by position, in the bar and beside its name. */
function variantColor(index: number): string {
  return colors[index % colors.length] ?? 'gray';
}

interface Props {
  readonly variants: readonly { readonly name: string; readonly weight: number }[];
}

/** Shows the shares of variants as a bar and in words. */
export function VariantShares({ variants }: Props) {
  return (
    <Stack gap={4}>
      <Progress.Root size="sm" aria-hidden>
        {variants.map(({ weight }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique while they are typed
          <Progress.Section key={index} value={weight / 10} color={variantColor(index)} />
        ))}
      </Progress.Root>
      <Group gap="sm">
        {variants.map(({ name, weight }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique while they are typed
          <Group key={index} gap={6} wrap="nowrap">
            <ColorSwatch
              size={10}
              color={`var(--mantine-color-${variantColor(index).replace('.', '-')})`}
              withShadow={false}
              aria-hidden
            />
            <Text size="xs">
              {name === '' ? 'unnamed' : name} {percent(weight)}
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}
