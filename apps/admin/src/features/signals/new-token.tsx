import { Alert, Button, Code, Group, Modal, Stack } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CurlCommand } from './curl-command.tsx';

/** A secret, and where it is sent. */
export interface TokenShown {
  readonly url: string;
  readonly token: string;
}

/** Shows a token the one time that it can be seen; only its button closes it. */
export function NewToken({ shown, onClose }: { readonly shown: TokenShown | undefined; readonly onClose: () => void }) {
  return (
    <Modal
      opened={shown !== undefined}
      onClose={onClose}
      title="Signal endpoint token created"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
      centered
    >
      {shown !== undefined && (
        <Stack>
          <Alert color="yellow">Copy the token now. It is stored in a form that cannot be shown again.</Alert>
          <Group gap="xs" wrap="nowrap">
            <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {shown.token}
            </Code>
            <CopyButton value={shown.token} label="Copy the token" />
          </Group>
          <CurlCommand
            method="POST"
            url={shown.url}
            token={`Bearer ${shown.token}`}
            body={{ type: 'example', data: { status: 'firing' } }}
          />
          <Group justify="flex-end">
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
