import { Badge, Group, SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { nameOf } from '../../entities/users/user-queries.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { meQuery } from '../../lib/me.ts';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Muted, Strong } from '../../ui/text.tsx';
import { OwnLogins } from '../login-history/index.ts';
import { OwnTokens } from '../personal-tokens/index.ts';
import { OwnSessions } from '../sessions/index.ts';
import { PasswordChange } from './password-change.tsx';

/** The profile of the signed-in user. */
export function ProfilePage() {
  const { data: me } = useQuery(meQuery);
  const profile = useQuery(apiQuery('GET /api/admin/user/profile'));
  return (
    <Page
      title={titleOf('/profile')}
      description={me === undefined ? undefined : [nameOf(me.user), me.user.email].filter(Boolean).join(' · ')}
    >
      <Loaded query={profile}>
        {({ rootRole, projects, groups, canChangePassword }) => (
          <Stack gap="lg">
            <SectionCard title="Permissions">
              <Fact name="Root role">
                <Badge>{rootRole.name}</Badge>
                <Muted>{rootRole.description}</Muted>
              </Fact>
              <Fact name="Projects">
                {projects.length === 0 && <Text size="sm">None</Text>}
                {projects.map((projectId) => (
                  <TextLink key={projectId} to="/projects/$projectId" params={{ projectId }} size="sm">
                    {projectId}
                  </TextLink>
                ))}
              </Fact>
              {groups.length > 0 && <Fact name="Groups">{groups.join(', ')}</Fact>}
            </SectionCard>
            <SectionCard title="Appearance">
              <SchemeChoice />
            </SectionCard>
            {canChangePassword && (
              <SectionCard title="Password">
                <PasswordChange />
              </SectionCard>
            )}
            <OwnTokens />
            <SectionCard
              title="Sessions"
              description="Each login starts a session. End sessions that you do not recognize."
            >
              <OwnSessions />
            </SectionCard>
            <SectionCard
              title="Logins"
              description="The last 20 logins with your user name or e-mail address. Change your password if you do not recognize one."
            >
              <OwnLogins />
            </SectionCard>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Group gap="sm">
      <Strong w={90}>{name}</Strong>
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
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      aria-label="Color scheme"
      style={{ alignSelf: 'flex-start' }}
    />
  );
}
