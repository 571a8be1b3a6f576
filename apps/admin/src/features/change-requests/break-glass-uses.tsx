import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint, Muted } from '../../ui/text.tsx';

const usesRoute = 'GET /api/admin/change-requests/break-glass';

type Use = Answer<typeof usesRoute>['uses'][number];

/** Lists changes made with break-glass that no other person has acknowledged. Renders nothing when there are none. */
export function BreakGlassUses() {
  const { data } = useQuery(apiQuery(usesRoute));
  if (data === undefined || data.uses.length === 0) return null;
  return (
    <SectionCard
      title="Changes without review"
      description="These changes were made with break-glass. Each is listed until another person acknowledges it."
    >
      {data.uses.map((use) => (
        <UseRow key={use.id} use={use} />
      ))}
    </SectionCard>
  );
}

function UseRow({ use }: { readonly use: Use }) {
  const { project, environments, reason, changes, createdBy, createdAt, own } = use;
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={2} style={{ flex: '1 1 320px' }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{createdBy.username}</b> in {project}, {environments.join(', ')}{' '}
          <Hint span>
            <RelativeTime at={createdAt} />
          </Hint>
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
        <Hint style={{ overflowWrap: 'anywhere' }}>
          {changes.map(({ label, name }) => (name === null ? label : `${name}: ${label}`)).join('; ')}
        </Hint>
      </Stack>
      {own ? <Muted>Another person must acknowledge this.</Muted> : <Acknowledge use={use} />}
    </Group>
  );
}

function Acknowledge({ use: { id, project } }: { readonly use: Use }) {
  const [verdict, setVerdict] = useState<'justified' | 'not-justified'>();
  const [note, setNote] = useState('');
  const of = `change without review #${id} in ${project}`;
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setVerdict('justified')} aria-label={`Acknowledge ${of} as justified`}>
        Justified
      </Button>
      <Button
        variant="default"
        onClick={() => setVerdict('not-justified')}
        aria-label={`Acknowledge ${of} as not justified`}
      >
        Not justified
      </Button>
      {verdict !== undefined && (
        <Confirm
          title={`Acknowledge ${of}?`}
          action="Acknowledge"
          color={verdict === 'justified' ? 'green' : 'red'}
          run={() =>
            api('POST /api/admin/change-requests/break-glass/:id/acknowledge', {
              params: { id },
              body: { verdict, note },
            })
          }
          changes={[usesRoute]}
          onClose={() => setVerdict(undefined)}
        >
          The event log will say that the change was {verdict === 'justified' ? 'justified' : 'not justified'}.
          <Textarea
            label="Note"
            maxLength={1000}
            mt="sm"
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        </Confirm>
      )}
    </Group>
  );
}
