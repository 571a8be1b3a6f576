import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint } from './text.tsx';

/** A value below its name. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Stack gap={0}>
      <Hint>{name}</Hint>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Stack>
  );
}
