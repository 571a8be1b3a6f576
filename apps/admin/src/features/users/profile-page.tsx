import {
  Badge,
  Button,
  Group,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  Title,
  useMantineColorScheme,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../lib/api.ts';
import { meQuery } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { Refusal } from '../../ui/form-drawer.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { NewPassword } from '../login/new-password.tsx';
import { OwnTokens } from '../personal-tokens/own-tokens.tsx';
import { OwnSessions } from '../sessions/own-sessions.tsx';
import { nameOf } from './user-queries.ts';

/** What the person who is signed in can see and change of themselves. */
export function ProfilePage() {
  const { data: me } = useQuery(meQuery);
  const profile = useQuery({
    queryKey: ['GET /api/admin/user/profile'],
    queryFn: () => api('GET /api/admin/user/profile'),
  });
  return (
    <Page
      title="Profile"
      description={me === undefined ? undefined : [nameOf(me.user), me.user.email].filter(Boolean).join(' · ')}
    >
      <Loaded query={profile}>
        {({ rootRole, projects, groups, canChangePassword }) => (
          <Stack gap="lg">
            <Section title="What you may do">
              <Fact name="Root role">
                <Badge variant="light" tt="none">
                  {rootRole.name}
                </Badge>
                <Text size="sm" c="dimmed">
                  {rootRole.description}
                </Text>
              </Fact>
              <Fact name="Projects">
                {projects.length === 0 && <Text size="sm">None of your own</Text>}
                {projects.map((projectId) => (
                  <TextLink key={projectId} to="/projects/$projectId" params={{ projectId }} size="sm">
                    {projectId}
                  </TextLink>
                ))}
              </Fact>
              {groups.length > 0 && <Fact name="Groups">{groups.join(', ')}</Fact>}
            </Section>
            <Section title="Appearance">
              <SchemeChoice />
            </Section>
            {canChangePassword && (
              <Section title="Password">
                <PasswordChange />
              </Section>
            )}
            <Paper withBorder p="lg">
              <OwnTokens />
            </Paper>
            <Paper withBorder p="lg">
              <OwnSessions />
            </Paper>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Group gap="sm">
      <Text size="sm" fw={600} w={90}>
        {name}
      </Text>
      {children}
    </Group>
  );
}

function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      value={colorScheme}
      onChange={(chosen) => setColorScheme(chosen as typeof colorScheme)}
      data={[
        { value: 'auto', label: 'As the system' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      aria-label="Colours"
      style={{ alignSelf: 'flex-start' }}
    />
  );
}

function PasswordChange() {
  const form = useForm({
    initialValues: { oldPassword: '', password: '', confirmPassword: '' },
    validate: {
      confirmPassword: (again, { password }) => (again === password ? null : 'The two are not the same.'),
    },
  });
  const saving = useSaving(form, {
    save: (body) => api('POST /api/admin/user/change-password', { body }),
    changes: [],
    said: 'Password changed; your other sessions have ended',
    onSaved: () => form.reset(),
  });
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack maw={420}>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('oldPassword')}
        />
        <NewPassword
          value={form.values.password}
          error={form.errors['password'] as string | undefined}
          onChange={(password) => form.setFieldValue('password', password)}
        />
        <PasswordInput
          label="New password, again"
          autoComplete="new-password"
          required
          {...form.getInputProps('confirmPassword')}
        />
        <Refusal>{saving.refusal}</Refusal>
        <Group>
          <Button type="submit" loading={saving.pending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
