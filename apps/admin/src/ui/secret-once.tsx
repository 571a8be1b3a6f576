import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** A secret that the server has just created. */
export interface Secret {
  /** The kind of secret: "token", "link". */
  readonly kind: string;
  readonly value: string;
}

interface Props {
  readonly title: string;
  readonly secret: Secret | undefined;
  /** Replaces the warning that the secret cannot be shown again. */
  readonly warning?: string;
  /** Instructions for using the secret. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows a secret once. Only its button closes the dialog. */
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
        <Alert color="yellow">{warning ?? `Copy the ${secret.kind} now. It cannot be shown again.`}</Alert>
        <Group gap="xs" wrap="nowrap">
          <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {secret.value}
          </Code>
          <CopyButton value={secret.value} label={`Copy the ${secret.kind}`} />
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
