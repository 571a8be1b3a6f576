import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';

interface Props {
  /** What the command does, where that is not what the form beside it does. */
  readonly title?: string;
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  /** Instead of a secret that this page does not know. */
  readonly token?: string;
  readonly body: unknown;
}

/** The call that does what the form beside it does, for a shell. */
export function CurlCommand({ title = 'The same with curl', method, url, token = 'INSERT_API_KEY', body }: Props) {
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  const command = [
    `curl --request ${method} '${url}'`,
    `--header 'Authorization: ${token}'`,
    `--header 'Content-Type: application/json'`,
    `--data '${json}'`,
  ].join(' \\\n  ');
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CopyButton value={command} label="Copy the command" />
      </Group>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {command}
      </Code>
    </Stack>
  );
}
