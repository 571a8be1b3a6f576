import { Code, Group, Stack } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Strong } from '../../ui/text.tsx';

interface Props {
  /** The title, when the command does something other than the form beside it. */
  readonly title?: string;
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  /** The token, or a placeholder. */
  readonly token?: string;
  readonly body: unknown;
}

/** Shows the curl command for an API call. */
export function CurlCommand({
  title = 'Save this form with curl',
  method,
  url,
  token = 'INSERT_API_KEY',
  body,
}: Props) {
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
        <Strong>{title}</Strong>
        <CopyButton value={command} label="Copy the command" />
      </Group>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {command}
      </Code>
    </Stack>
  );
}
