import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './over-page.tsx';

/** A secret that the server has just made. */
export interface Secret {
  /** What it is: "token", "link". */
  readonly what: string;
  readonly value: string;
}

interface Props {
  readonly title: string;
  readonly secret: Secret | undefined;
  /** What becomes of it, instead of that it cannot be shown again. */
  readonly warning?: string;
  /** How it is used. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows a secret the one time that it can be seen; only its button closes it. */
export function SecretOnce({ title, secret, warning, children, onClose }: Props) {
  if (secret === undefined) return null;
  return (
    <Dialog
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert color="yellow">
          {warning ?? `Copy the ${secret.what} now. It is stored in a form that cannot be shown again.`}
        </Alert>
        <Group gap="xs" wrap="nowrap">
          <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {secret.value}
          </Code>
          <CopyButton value={secret.value} label={`Copy the ${secret.what}`} />
        </Group>
        {children !== undefined && (
          <Text size="sm" component="div">
            {children}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
