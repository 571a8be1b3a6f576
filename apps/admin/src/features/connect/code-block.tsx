import { Box, Code, Group } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Strong } from '../../ui/text.tsx';

interface Props {
  readonly title: string;
  readonly code: string;
  /** The label of the copy button. */
  readonly copy: string;
}

/** Shows code with a title and a button that copies the code. */
export function CodeBlock({ title, code, copy }: Props) {
  return (
    <Box component="section" aria-label={title} miw={0}>
      <Group justify="space-between" mb={4}>
        <Strong>{title}</Strong>
        <CopyButton value={code} label={copy} />
      </Group>
      {/* It scrolls sideways, so the keyboard must reach it. */}
      <Code block tabIndex={0} style={{ overflow: 'auto' }}>
        {code}
      </Code>
    </Box>
  );
}
