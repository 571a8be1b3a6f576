import { Alert, Anchor, Code, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { LoginWays } from '../../lib/api.ts';
import { LoginForm } from './login-form.tsx';
import { OutsidePage } from './outside-page.tsx';
import { takeRefusal } from './refused.ts';

interface Props {
  readonly ways: LoginWays;
  readonly onSignedIn: () => Promise<void>;
}

/** The first thing that somebody sees who is not signed in. */
export function LoginPage({ ways, onSignedIn }: Props) {
  const [refusal] = useState(takeRefusal);
  return (
    <OutsidePage>
      <Stack>
        {refusal !== undefined && (
          <Alert color="red" role="alert" title="You are not logged in">
            {refusal}
          </Alert>
        )}
        <LoginForm ways={ways} onSignedIn={onSignedIn} />
        {ways.passwords && <Help />}
      </Stack>
    </OutsidePage>
  );
}

/** For who has no password, or no longer. */
function Help() {
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs">
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={opened} ta="start">
        No password, or forgotten?
      </Anchor>
      {opened && (
        <Text size="sm" c="dimmed" component="div">
          <List spacing="xs" size="sm">
            <List.Item>An administrator can give you a link by which you choose another one.</List.Item>
            <List.Item>
              Just installed? The first start made the user <b>admin</b> and printed its password in the terminal,
              unless a setting named one.
            </List.Item>
            <List.Item>
              When that is lost too, run <Code>npm run yardarm -- recover</Code> where the service is installed.
            </List.Item>
          </List>
        </Text>
      )}
    </Stack>
  );
}
